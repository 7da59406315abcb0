import { type Option, readText } from '../../config/option.ts'

/** One folder for both kinds of models, so the engine and the recogniser have the same option. */
export const sherpaModelsOption = {
  placeholder: 'FOLDER',
  help: 'folder with models for sherpa-onnx, whose voices and recognisers are offered too',
  read: readText,
} as const satisfies Option<string>
