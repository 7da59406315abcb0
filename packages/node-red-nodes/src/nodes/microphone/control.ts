import type { TextRole } from '../../microphones/page/page-messages.ts'
import type { Failure } from '../../runtime/failure.ts'
import type { Send } from '../../runtime/input.ts'
import type { MicrophoneMessage } from './microphone-message.ts'

/** How the node controls what records. */
export interface MicrophoneControl {
  /** Records until `stop`. Calls `end` when the recording is over. */
  start(
    message: MicrophoneMessage,
    send: Send<MicrophoneMessage>,
    end: (failure?: Failure) => void,
  ): void
  stop(): void
  /** Shows a text on the pages. @throws {NodeInputError} if there is no page. */
  show(role: TextRole, text: string): void
  /** Sends nothing more. */
  close(): Promise<void>
}
