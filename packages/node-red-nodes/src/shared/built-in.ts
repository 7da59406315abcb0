// What a service uses that says nothing of it, as services saved by the first version do.
export const builtInModel = 'svc-tts-2'
export const builtInEncoding = 'MP3'
