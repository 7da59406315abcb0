/** How an utterance is to be spoken, whatever the voice. */
export interface Prosody {
  /** Factor of the voice's own pace, 0.5 to 1.5; the pitch stays. Default 1. */
  speakingRate: number
  /** Factor of the range of the melody: 0 is monotone. Default 1. */
  liveliness: number
}

export const plainProsody: Prosody = { speakingRate: 1, liveliness: 1 }
