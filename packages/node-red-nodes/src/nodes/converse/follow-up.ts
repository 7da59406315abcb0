const firstTurnMs = 8000
const afterQuestionMs = 4000
const afterStatementMs = 2000

/** @param onOver called when nobody has spoken for a while. `undefined`: the conversation goes on until it is stopped. */
export function createFollowUp(onOver: (() => void) | undefined) {
  let timer: NodeJS.Timeout | undefined
  let listenMs = firstTurnMs
  const cancel = () => clearTimeout(timer)
  const wait = (unplayedMs: number) => {
    cancel()
    if (onOver) timer = setTimeout(onOver, unplayedMs + listenMs)
  }
  return {
    /** Nobody has spoken yet. */
    begin: () => wait(0),
    /** A response has ended. @param unplayedMs how long a speaker still plays it. */
    responded(text: string, unplayedMs: number) {
      listenMs = /[?？؟]\s*$/.test(text) ? afterQuestionMs : afterStatementMs
      wait(unplayedMs)
    },
    /** The user has made a noise. Waits again, from now on. @param unplayedMs as for `responded`. */
    renew: wait,
    /** The user or the model begins to speak. */
    cancel,
  }
}

/** Decides when a conversation is over because the user has nothing more to say. */
export type FollowUp = ReturnType<typeof createFollowUp>
