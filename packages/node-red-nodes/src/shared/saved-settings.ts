// A service without these settings uses them, for example one saved by the first version.
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

// Flows saved before 0.1 use these names. They keep working; the form shows and saves the current name.
const currentNames: Readonly<Record<string, string>> = { beside: 'parallel', all: 'whole' }

/** The current name of a choice that a flow has saved. */
export function currentChoice<Choice extends string>(saved: Choice): Choice {
  return (Object.hasOwn(currentNames, saved) ? currentNames[saved] : saved) as Choice
}

/** A text that a flow has saved, without spaces around it. A hand-written flow may contain any value, which counts as empty. */
export function trimmedText(saved: unknown): string {
  return typeof saved === 'string' ? saved.trim() : ''
}
