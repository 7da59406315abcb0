import { RED } from './red.ts'

/** Shows a notification. The editor itself would take a text as HTML. */
export function notify(words: string, type: 'success' | 'error'): void {
  RED.notify($('<span></span>').text(words), type)
}
