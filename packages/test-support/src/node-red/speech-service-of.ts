import type { Client } from '../../../core/src/client.ts'
import type { SpeechService } from '../../../node-red-nodes/src/runtime/speech-service.ts'

/** A service node that has this client, for parts of nodes that only connect. */
export function speechServiceOf(client: Client): SpeechService {
  const unused = () => {
    throw new Error('this part is not simulated')
  }
  return {
    defaults: { modelId: '', audioEncoding: '' },
    isOnDevice: true,
    connect: async () => client,
    use: (_signal, work) => work(client, new AbortController().signal),
    letEnd() {},
    startAhead() {},
    defaultVoiceId: unused,
    languageOf: unused,
    speak: unused,
    respell: (text) => text,
    reserveBudget: () => undefined,
    budgetShare: () => 0,
    noteFailure() {},
  }
}
