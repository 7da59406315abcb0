// A service without these settings uses them, for example one saved by the first version.
export const defaultModelId = 'svc-tts-2'
export const defaultEncoding = 'MP3'
