import { servePhrases } from '../threads/serve-phrases.ts'
import { openFliteModule } from './flite-module.ts'
import { type FlitePhrase, type FliteSound, runFliteProgram } from './run-flite.ts'

const phrases = servePhrases<FlitePhrase, FliteSound>()

await runFliteProgram(openFliteModule(phrases.given as string), phrases)
