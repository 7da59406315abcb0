/** Decides when a conversation is over because the user has nothing more to say. */
export interface FollowUp {
  /** Nobody has spoken yet. */
  begin(): void
  /** A response has ended. @param unplayedMs how long a loudspeaker still plays it. */
  responded(text: string, unplayedMs: number): void
  /** The user or the model begins to speak. */
  cancel(): void
}

const firstTurnMs = 8000
const afterQuestionMs = 4000
const afterStatementMs = 2000

/** @param onOver called when nobody has spoken for a while. `undefined`: the conversation goes on until it is stopped. */
export function createFollowUp(onOver: (() => void) | undefined): FollowUp {
  let timer: NodeJS.Timeout | undefined
  const cancel = () => clearTimeout(timer)
  const wait = (delayMs: number) => {
    cancel()
    if (onOver) timer = setTimeout(onOver, delayMs)
  }
  return {
    begin: () => wait(firstTurnMs),
    responded(text, unplayedMs) {
      const isQuestion = /[?？؟]\s*$/.test(text)
      wait(unplayedMs + (isQuestion ? afterQuestionMs : afterStatementMs))
    },
    cancel,
  }
}
