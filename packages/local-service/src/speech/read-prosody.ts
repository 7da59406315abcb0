import type { SpeechRequest } from '@parlando/core/wire'
import type { Prosody } from '../voices/prosody.ts'

const livelinessOfMode = {
  DELIVERY_MODE_UNSPECIFIED: 1,
  STABLE: 0.6,
  BALANCED: 1,
  CREATIVE: 1.4,
} as const

/**
 * Reads how the voice is to speak. As the protocol has it, `deliveryMode` acts on `svc-tts-2` alone and `temperature`
 * on the other models; 0 and 1 mean the voice as it is, 2 half as much range again.
 */
export function readProsody(request: SpeechRequest): Prosody {
  const { modelId, audioConfig, deliveryMode = 'BALANCED', temperature } = request
  const isSteered = modelId === 'svc-tts-2'
  return {
    speakingRate: audioConfig?.speakingRate ?? 1,
    liveliness: isSteered ? livelinessOfMode[deliveryMode] : 0.5 + (temperature || 1) / 2,
  }
}
