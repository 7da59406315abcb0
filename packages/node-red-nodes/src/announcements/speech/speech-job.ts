import type { Node, NodeAPI } from 'node-red'
import type { WantedSound } from '../../playback/play-on-speakers.ts'
import type { SpeechMessage, SpeechSettings } from '../../runtime/speech/speech-request.ts'
import type { GrowingSound } from '../../sounds/sound.ts'

export interface SpeechOptions {
  text: string
  message: SpeechMessage
  /** An alarm is spoken even if the budget of the service is spent. */
  isAlarm: boolean
  /** The id of a text that is said sentence by sentence. */
  textId?: string
  onRetry(): void
  /** Called with sentences for `msg.warning` if the voice does not speak the text as it is written. */
  onWarning(warning: string): void
  /** Called when a voice of this machine has spoken the text, with the reason why the service has not. */
  onStandIn(voiceId: string, error: unknown): void
}

/** The speech of an announcement for a speaker, while it is made. */
export interface SpeechJob {
  RED: NodeAPI
  node: Node
  settings: SpeechSettings
  options: SpeechOptions
  wanted: WantedSound
  sound: GrowingSound
  signal: AbortSignal
}
