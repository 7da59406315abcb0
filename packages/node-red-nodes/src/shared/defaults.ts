// A service without these settings uses them, for example one saved by the first version.
export const defaultModelId = 'svc-tts-2'
export const defaultEncoding = 'MP3'

/** The chat model of every local service: it repeats the question, so a node answers as soon as it is wired. */
export const echoModel = 'svc/models/echo'
