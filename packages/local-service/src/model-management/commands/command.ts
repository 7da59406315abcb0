import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { CatalogueEntry } from '../../models/catalogue/catalogue.ts'
import { installFolderOf, listInstalled } from '../../models/install/install-record.ts'
import type { ModelKind } from '../../models/sherpa/model-kind.ts'
import type { Terminal } from './terminal.ts'

const actions = ['list', 'add', 'test', 'verify', 'remove', 'bundle', 'help'] as const

/** What the user wants to do with models. */
export interface ModelCommand {
  kind: ModelKind
  action: (typeof actions)[number]
  /** The names of models. */
  names: readonly string[]
  /** A text for `test`, or the file of a recording. */
  input?: string
  dataFolder: string
  enginesFolder?: string
  languages: readonly string[]
  /** A URL or a path, instead of the addresses in the catalogue. */
  from?: string
  out?: string
  acceptsAll: boolean
  acceptedLicence?: string
  isDryRun: boolean
  isJson: boolean
}

/** A command with what it needs. */
export interface Run {
  command: ModelCommand
  terminal: Terminal
  /** The models that can be installed. */
  offered: readonly CatalogueEntry[]
  signal: AbortSignal
}

const flags = {
  lang: { type: 'string' },
  from: { type: 'string' },
  out: { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
  'accept-licence': { type: 'string' },
  'dry-run': { type: 'boolean' },
  json: { type: 'boolean' },
  'data-folder': { type: 'string' },
  'engines-folder': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

/** @throws {Error} that names what is wrong with the arguments. */
export function readModelCommand(
  kind: ModelKind,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): ModelCommand {
  const { values, positionals } = parse(args)
  const [first = 'list', ...rest] = positionals
  const action = values.help ? 'help' : actions.find((each) => each === first)
  if (!action) throw new Error(`Unknown action: ${first}. Known: ${actions.join(', ')}`)
  const takesInput = action === 'test'
  const names = takesInput ? rest.slice(0, 1) : rest
  const required = action === 'add' || action === 'remove' || action === 'bundle' || takesInput
  if (required && names.length === 0) throw new Error(`${action} needs the name of a ${kind}`)
  if (action === 'bundle' && !values.out) throw new Error('bundle needs --out FILE')
  const {
    PARLANDO_LOCAL_DATA_FOLDER,
    PARLANDO_LOCAL_ENGINES_FOLDER,
    PARLANDO_LOCAL_VOICES_MIRROR,
  } = environment
  return {
    kind,
    action,
    names,
    input: takesInput ? rest.slice(1).join(' ') || undefined : undefined,
    dataFolder: resolve(
      values['data-folder'] || PARLANDO_LOCAL_DATA_FOLDER || join(homedir(), '.parlando'),
    ),
    enginesFolder: values['engines-folder'] || PARLANDO_LOCAL_ENGINES_FOLDER || undefined,
    languages: values.lang?.split(',').map((language) => language.trim()) ?? [],
    from: values.from || PARLANDO_LOCAL_VOICES_MIRROR || undefined,
    out: values.out,
    acceptsAll: values.yes ?? false,
    acceptedLicence: values['accept-licence'],
    isDryRun: values['dry-run'] ?? false,
    isJson: values.json ?? false,
  }
}

/** @throws {Error} if a name is that of a model of another kind, such as that of a recogniser among voices. */
export async function rejectOtherKinds({
  command,
  offered,
}: Pick<Run, 'command' | 'offered'>): Promise<void> {
  const { kind, action, names, dataFolder } = command
  const known = [...(await listInstalled(installFolderOf(dataFolder))), ...offered]
  const other = known.find((model) => names.includes(model.name) && model.kind !== kind)
  if (!other) return
  throw new Error(
    `${other.name} is not a ${kind}. Use parlando-local ${other.kind}s ${action} ${other.name}`,
  )
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags, allowPositionals: true })
  } catch (error) {
    throw new Error(`${(error as Error).message}. Run with --help for the list of options`)
  }
}

/** What a group of models is, the name in an example, and what its test takes; wake words have none. */
const groupHelp: Record<ModelKind, { title: string; example: string; testInput?: string }> = {
  voice: { title: 'voices', example: 'natural', testInput: '[TEXT] [--out FILE]' },
  recogniser: { title: 'speech recognisers', example: 'kroko-en', testInput: 'RECORDING' },
  'wake-word': { title: 'models that find wake words', example: 'gigaspeech' },
}

export function modelHelp(kind: ModelKind): string {
  const group = `${kind}s`
  const isVoice = kind === 'voice'
  const { title, example, testInput } = groupHelp[kind]
  const test = testInput
    ? `  parlando-local ${group} test NAME ${testInput.padEnd(8)}
  ${' '.repeat(`parlando-local ${group}`.length)}                   measures it on this machine\n`
    : ''
  return `parlando-local ${group}: ${title} from the internet for this machine

  parlando-local ${group}                   installed and offered ${group}
  parlando-local ${group} add NAME...       downloads and installs, such as: add ${example}
${isVoice ? `  parlando-local ${group} add FILE.onnx     installs a voice file of Piper; FILE.onnx.json is next to it\n` : ''}${test}  parlando-local ${group} verify [NAME]     compares the files with those that were installed
  parlando-local ${group} remove NAME...
  parlando-local ${group} bundle NAME --out FILE
  ${' '.repeat(`parlando-local ${group}`.length)}                   writes it into one file, for a machine without internet access

  --lang CODES           ${isVoice ? 'languages of the alias natural, such as de,en; or only these in the list' : 'only these languages in the list, such as de,en'}
  --from PLACE           a server or a folder with the files, or a file of bundle (PARLANDO_LOCAL_VOICES_MIRROR)
  --yes                  installs without a question
  --accept-licence NAME  needed with --yes if the licence restricts the use
  --dry-run              shows what would be done
  --json                 prints JSON
  --data-folder FOLDER   ~/.parlando by default (PARLANDO_LOCAL_DATA_FOLDER)
  --engines-folder FOLDER  further folder in which sherpa-onnx-node is installed (PARLANDO_LOCAL_ENGINES_FOLDER)

Nothing is downloaded without this command. The licence and the size are shown first.
`
}
