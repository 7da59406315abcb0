import { type CatalogueEntry, catalogue } from '../../models/catalogue/catalogue.ts'
import { writeBundle } from '../../models/install/bundle.ts'
import {
  changedFiles,
  findInstalled,
  type InstalledModel,
  installFolderOf,
  listInstalled,
} from '../../models/install/install-record.ts'
import { removeModel } from '../../models/install/remove-model.ts'
import type { ModelKind } from '../../models/sherpa/model-kind.ts'
import { addModels } from './add-models.ts'
import {
  type ModelCommand,
  modelHelp,
  type Run,
  readModelCommand,
  rejectOtherKinds,
} from './command.ts'
import { listModels } from './list-models.ts'
import { openTerminal, type Terminal } from './terminal.ts'
import { testModel } from './try-model.ts'

/** What a command works with, apart from its arguments. */
interface Surroundings {
  terminal?: Terminal
  /** The models that can be installed. */
  offered?: readonly CatalogueEntry[]
}

/**
 * Runs `parlando-local voices …`, `parlando-local recognisers …` or `parlando-local wake-words …`.
 * @throws {Error} for the user. After Ctrl+C, received parts of files remain, and the next call continues there.
 */
export async function runModelCommand(
  kind: ModelKind,
  args: readonly string[],
  { terminal = openTerminal(), offered = catalogue }: Surroundings = {},
): Promise<void> {
  const command = readModelCommand(kind, args, process.env)
  const stop = new AbortController()
  const message = 'Stopped. What has arrived is kept; repeat the command to continue'
  const onSignal = () => stop.abort(new Error(message))
  process.once('SIGINT', onSignal)
  process.once('SIGTERM', onSignal)
  try {
    await actions[command.action]({ command, terminal, offered, signal: stop.signal })
  } finally {
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
  }
}

const actions: Record<ModelCommand['action'], (run: Run) => Promise<void> | void> = {
  help: ({ command, terminal }) => terminal.print(modelHelp(command.kind).trimEnd()),
  list: listModels,
  add: addModels,
  test: testModel,
  verify,
  remove,
  bundle,
}

async function remove(run: Run): Promise<void> {
  const { command, terminal } = run
  const { names, dataFolder } = command
  await rejectOtherKinds(run)
  for (const name of names) {
    await removeModel(installFolderOf(dataFolder), name)
    terminal.note(`${name} is removed`)
  }
}

async function bundle(run: Run): Promise<void> {
  const { command, terminal } = run
  const { kind, names, dataFolder, out = '' } = command
  const [name = ''] = names
  await rejectOtherKinds(run)
  await writeBundle(await findInstalled(installFolderOf(dataFolder), name), out)
  terminal.note(
    `${name} is in ${out}. On the other machine: parlando-local ${kind}s add ${name} --from ${out}`,
  )
}

async function installedModels(run: Run): Promise<InstalledModel[]> {
  const { kind, names, dataFolder } = run.command
  const folder = installFolderOf(dataFolder)
  await rejectOtherKinds(run)
  if (names.length > 0) return Promise.all(names.map((name) => findInstalled(folder, name)))
  return (await listInstalled(folder)).filter((model) => model.kind === kind)
}

/** @throws {Error} if a model is damaged. */
async function verify(run: Run): Promise<void> {
  const { command, terminal } = run
  const { kind, isJson } = command
  const models = await installedModels(run)
  const results = []
  for (const model of models) results.push({ name: model.name, changed: await changedFiles(model) })
  const damaged = results.filter(({ changed }) => changed.length > 0)
  if (isJson) terminal.print(JSON.stringify(results, null, 1))
  for (const { name, changed } of isJson ? [] : results) {
    terminal.print(
      `${name}: ${changed.length === 0 ? 'unchanged' : `changed or missing: ${changed.join(', ')}`}`,
    )
  }
  if (damaged.length === 0) return
  const names = damaged.map(({ name }) => name).join(' ')
  throw new Error(`Install again: parlando-local ${kind}s remove ${names}, then add`)
}
