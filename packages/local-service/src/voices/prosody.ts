import type { SpeechRequest } from '@parlando/core/wire'

/** How an utterance is spoken, independent of the voice. */
export interface Prosody {
  /** Factor of the voice's own pace, 0.5 to 1.5; the pitch stays the same. Default 1. */
  speakingRate: number
  /** Factor of the range of the melody: 0 is monotone. Default 1. */
  liveliness: number
}

const livelinessOfMode = {
  DELIVERY_MODE_UNSPECIFIED: 1,
  STABLE: 0.6,
  BALANCED: 1,
  CREATIVE: 1.4,
  EXPRESSIVE: 1.4,
} as const

/**
 * Reads the prosody of a request. As the protocol defines it, `deliveryMode` applies only to `svc-tts-2` and
 * `temperature` only to the other models: 0 and 1 leave the voice unchanged, 2 widens the range of its melody by half.
 */
export function readProsody(request: Omit<SpeechRequest, 'text'>): Prosody {
  const { modelId, audioConfig, deliveryMode = 'BALANCED', temperature } = request
  const hasDeliveryMode = modelId === 'svc-tts-2'
  return {
    speakingRate: audioConfig?.speakingRate ?? 1,
    liveliness: hasDeliveryMode ? livelinessOfMode[deliveryMode] : 0.5 + (temperature || 1) / 2,
  }
}
