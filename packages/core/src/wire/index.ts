/** Everything that travels between client and service: the one definition of the protocol. */
export * from './audio-config.ts'
export * from './audio-speech.ts'
export * from './camel-case.ts'
export * from './chat.ts'
export * from './models.ts'
export * from './problem.ts'
export * from './speech.ts'
export * from './voices.ts'
