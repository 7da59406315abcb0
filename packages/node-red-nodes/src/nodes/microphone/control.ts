import type { Failure } from '../../shared/failure.ts'
import type { Send } from '../../shared/input.ts'
import type { MicrophoneMessage } from './messages.ts'

/** How the node controls what records. */
export interface MicrophoneControl {
  /** Records until `stop`. Calls `end` when the recording is over. */
  start(
    message: MicrophoneMessage,
    send: Send<MicrophoneMessage>,
    end: (failure?: Failure) => void,
  ): void
  stop(): void
  /** Sends nothing more. */
  close(): Promise<void>
}
