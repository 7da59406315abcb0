/** The model and the format of a service that has none in its settings, such as one that the first version has saved. */
export const defaultModelId = 'svc-tts-2'
export const defaultEncoding = 'MP3'

/** The first language model of a service. A device without one uses the echo, so a node responds as soon as it is wired. */
export const autoModel = 'auto'

/** The chat model of every local service: it repeats the question. */
export const echoModel = 'svc/models/echo'

/** Whether the service setting of a node is empty, which means: this device, without a configuration node. */
export function isThisDevice(serviceId: unknown): boolean {
  return String(serviceId ?? '').trim() === ''
}
