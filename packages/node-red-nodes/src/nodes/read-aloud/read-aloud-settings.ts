import type { NodeAPI } from 'node-red'
import type { Priority } from '../../announcements/announcement.ts'
import {
  type PlaybackForm,
  type PlaybackSettings,
  readPlayback,
} from '../../playback/playback-settings.ts'
import { NodeInputError } from '../../runtime/failure.ts'
import { readSettings } from '../../runtime/settings.ts'
import type { SpeechSettings } from '../../runtime/speech/speech-request.ts'
import type { ReadAloudMessage } from './read-aloud-message.ts'

/** Settings of the form. A hand-written flow may leave each out. */
export interface ReadAloudSettings extends SpeechSettings, PlaybackForm {
  service: string
  priority?: string
}

/** Alarms are not read aloud. */
const priorities = ['info', 'normal', 'urgent'] as const

/** How a sentence is said. */
export interface SayingSettings extends PlaybackSettings {
  priority: Priority
}

/** Reads how to say a sentence. The message overrides the form. @throws {NodeInputError} for a value that does not fit. */
export function readSaying(
  RED: NodeAPI,
  settings: ReadAloudSettings,
  message: ReadAloudMessage,
): SayingSettings {
  const { priority: wanted } = readSettings(message, settings, {
    priority: { message: 'priority', form: 'priority', fallback: 'info' },
  })
  const priority = priorities.find((one) => one === wanted)
  if (!priority) {
    const values = { priorities: priorities.join(', ') }
    throw new NodeInputError(RED._('read-aloud.error.not-priority', values))
  }
  return { priority, ...readPlayback(RED, settings, message) }
}
