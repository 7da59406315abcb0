import type { Node, NodeDef } from 'node-red'
import type { BusyMode } from '../../runtime/runner.ts'
import type { SpeechSettings } from '../../runtime/speech/speech-request.ts'
import type { WorkContext } from '../../runtime/work.ts'
import type { SpeakMessage, SpeakOptions } from './audio-messages.ts'

/** The settings of the form. */
export interface SpeakDef extends NodeDef, SpeechSettings {
  service: string
  output: SpeakOptions['output']
  busy: BusyMode
}

/** What the node does for one message. */
export interface SpeakWork {
  node: Node
  config: SpeakDef
  message: SpeakMessage
  context: WorkContext<SpeakMessage>
}
