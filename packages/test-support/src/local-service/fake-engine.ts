import type { Engine } from '../../../local-service/src/engines/engine.ts'
import type { RunningEngine } from '../../../local-service/src/engines/engine-registry.ts'
import { Scheduler } from '../../../local-service/src/engines/schedule/scheduler.ts'

/** An engine with the voices of Flite that speaks 10 ms for any text, at once. */
export function createFakeEngine(): RunningEngine {
  const engine: Engine = {
    name: 'flite',
    sampleRateHertz: 16_000,
    voices: ['slt', 'rms', 'awb', 'kal16'].map((name) => ({ name, langCode: 'EN_US' })),
    slots: 2,
    timesWords: true,
    unsupportedReason: () => undefined,
    async speakPhrase({ signal, onSound }) {
      signal.throwIfAborted()
      onSound({ samples: new Float32Array(160), words: [] })
    },
    async close() {},
  }
  return { engine, scheduler: new Scheduler(engine.slots) }
}
