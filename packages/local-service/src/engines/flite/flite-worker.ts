import { servePhrases } from '../threads/serve-phrases.ts'
import { openFliteModule } from './flite-module.ts'
import { type FlitePhrase, type FliteSound, runFliteProgram } from './run-flite.ts'

const phrases = servePhrases<FlitePhrase, FliteSound>()

await runFliteProgram({
  module: openFliteModule(phrases.given as string),
  nextPhrase: phrases.next,
  nextUrgent: phrases.nextUrgent,
  onSound: phrases.passOn,
  isStopped: phrases.isStopped,
  onEnd: phrases.end,
})
