/** Decides when a conversation is over because the user has nothing more to say. */
export interface FollowUp {
  /** Nobody has spoken yet. */
  begin(): void
  /** A response has ended. @param unplayedMs how long a speaker still plays it. */
  responded(text: string, unplayedMs: number): void
  /** The user has made a noise. Waits again, from now on. @param unplayedMs as for `responded`. */
  renew(unplayedMs: number): void
  /** The user or the model begins to speak. */
  cancel(): void
}

const firstTurnMs = 8000
const afterQuestionMs = 4000
const afterStatementMs = 2000

/** @param onOver called when nobody has spoken for a while. `undefined`: the conversation goes on until it is stopped. */
export function createFollowUp(onOver: (() => void) | undefined): FollowUp {
  let timer: NodeJS.Timeout | undefined
  let listenMs = firstTurnMs
  const cancel = () => clearTimeout(timer)
  const wait = (unplayedMs: number) => {
    cancel()
    if (onOver) timer = setTimeout(onOver, unplayedMs + listenMs)
  }
  return {
    begin: () => wait(0),
    responded(text, unplayedMs) {
      listenMs = /[?？؟]\s*$/.test(text) ? afterQuestionMs : afterStatementMs
      wait(unplayedMs)
    },
    renew: wait,
    cancel,
  }
}
