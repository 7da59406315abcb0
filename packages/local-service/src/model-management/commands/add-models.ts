import { existsSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import {
  archiveName,
  type CatalogueEntry,
  downloadBytes,
  findEntry,
  formatBytes,
  isConfirmed,
  isHibari,
} from '../../models/catalogue/catalogue.ts'
import {
  describeMachine,
  type Machine,
  misfit,
  pickNatural,
} from '../../models/catalogue/machine-fit.ts'
import { installAddon } from '../../models/install/install-addon.ts'
import { installFolderOf } from '../../models/install/install-folder.ts'
import { type InstallOptions, installModel } from '../../models/install/install-model.ts'
import { listInstalled } from '../../models/install/install-record.ts'
import { isVoiceFile, readPiperVoice, stagePiperVoice } from '../../models/install/piper-voice.ts'
import { findSherpa } from '../../models/sherpa/find-sherpa.ts'
import { loaderFor } from '../load-model.ts'
import type { ModelCommand, Run } from './command.ts'
import { showEvents, type Terminal } from './terminal.ts'

/** A model with the place that it comes from. */
interface ModelToAdd extends Pick<InstallOptions, 'fetch' | 'mirror' | 'bundle'> {
  entry: CatalogueEntry
}

/** Installs models after the user has seen their licences and sizes. */
export async function addModels({ command, terminal, offered, signal }: Run): Promise<void> {
  const { dataFolder, enginesFolder, kind, isDryRun, isJson } = command
  const machine = await describeMachine()
  const folder = installFolderOf(dataFolder)
  const chosen = await chooseModels(command, machine, offered)
  const installed = (await listInstalled(folder)).map(({ name }) => name)
  const isNew = ({ entry }: ModelToAdd) => !installed.includes(entry.name)
  const models = chosen.filter(isNew)
  for (const { entry } of chosen.filter((model) => !isNew(model))) {
    terminal.note(`${entry.name} is already installed`)
  }
  let { packagePath } = findSherpa([enginesFolder, dataFolder])
  const needsAddon =
    !packagePath && !machine.unsupported && models.some(({ entry }) => !isHibari(entry))
  for (const model of models) terminal.note(describe(model, machine))
  if (needsAddon)
    terminal.note(
      '\nsherpa-onnx-node, which runs the models, is not installed. npm will install it too (about 32 MB).',
    )
  if (isDryRun || models.length === 0) {
    const install = models.map(({ entry }) => entry)
    if (isJson) terminal.print(JSON.stringify({ install, installAddon: needsAddon }, null, 1))
    return
  }
  const downloads = models.filter(({ fetch }) => !fetch).map(({ entry }) => entry)
  if (needsAddon || downloads.length > 0) await requireConsent(command, downloads, terminal, signal)
  if (needsAddon) {
    // The standard output is for the result of the command.
    await installAddon(dataFolder, { signal, onOutput: (text) => process.stderr.write(text) })
    packagePath = findSherpa([enginesFolder, dataFolder]).packagePath
  }
  const results = []
  for (const { entry, ...place } of models) {
    const model = await installModel(entry, {
      folder,
      ...place,
      signal,
      onEvent: showEvents(entry.name, terminal),
      ...loaderFor(entry, packagePath),
    })
    results.push({
      name: model.name,
      folder: model.folder,
      bytes: model.bytes,
      origin: model.origin,
    })
    terminal.note(`${entry.name} is installed in ${model.folder}`)
  }
  if (isJson) return terminal.print(JSON.stringify(results, null, 1))
  terminal.note('A running service offers it in a few seconds.')
  if (kind === 'wake-word') return
  terminal.note(
    `To hear how fast it is here: parlando-local ${kind}s test ${models[0]!.entry.name}`,
  )
}

async function chooseModels(
  { kind, names, languages, from, dataFolder }: ModelCommand,
  machine: Machine,
  offered: readonly CatalogueEntry[],
): Promise<ModelToAdd[]> {
  const chosen: ModelToAdd[] = []
  for (const name of names) {
    if (kind === 'voice' && isVoiceFile(name)) {
      const voice = await readPiperVoice(name)
      const fetch = (staging: string) =>
        stagePiperVoice(voice, staging, installFolderOf(dataFolder))
      chosen.push({ entry: voice.entry, fetch })
      continue
    }
    const own = Intl.DateTimeFormat().resolvedOptions().locale
    const entries =
      kind === 'voice' && name === 'natural'
        ? pickNatural(offered, machine, languages.length > 0 ? languages : [own])
        : [findEntry(kind, name, offered)]
    chosen.push(...entries.map((entry) => ({ entry, ...placeOf(from, entry) })))
  }
  // The alias natural and the name of a folder can choose what another name does.
  return [...new Map(chosen.map((model) => [model.entry.name, model])).values()]
}

/** A server or folder, an archive as its maker publishes it, or a bundle. */
function placeOf(from: string | undefined, entry: CatalogueEntry) {
  if (!from || /^https?:\/\//.test(from) || !existsSync(from) || statSync(from).isDirectory()) {
    return { mirror: from }
  }
  const path = resolve(from)
  const archives = entry.sources.flatMap((source) =>
    'archive' in source ? archiveName(source.archive) : [],
  )
  return archives.includes(basename(path)) ? { mirror: dirname(path) } : { bundle: path }
}

function describe({ entry, fetch }: ModelToAdd, machine: Machine): string {
  const { displayName, name, summary, languages, licence } = entry
  const lines = [
    '',
    `${displayName} (${name}): ${summary}; ${languages.join(', ')}`,
    `  ${fetch ? 'Size' : 'Download'}: ${formatBytes(downloadBytes(entry))}`,
    `  Licence: ${fetch ? licence.name : `${licence.name}, ${licence.url}`}`,
    licence.notice && `  ${licence.notice}`,
    !fetch &&
      !isConfirmed(entry) &&
      '  Its checksum comes from one public source only, so this machine trusts that source.',
    misfit(entry, machine) && `  Attention: it ${misfit(entry, machine)}.`,
  ]
  return lines.filter((line) => line !== undefined && line !== false).join('\n')
}

/** @throws {Error} if the user does not agree. */
async function requireConsent(
  { acceptsAll, acceptedLicence }: ModelCommand,
  entries: readonly CatalogueEntry[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  if (!acceptsAll) {
    const question = entries.length > 0 ? '\nInstall and accept the licence?' : '\nInstall?'
    if (!terminal.isInteractive) throw new Error('Add --yes to install without a question')
    if (await terminal.confirm(question, signal)) return
    throw new Error('Nothing is installed')
  }
  const restricted = entries.find(({ licence }) => {
    const isRestricted = licence.commercialUse !== 'yes' || licence.name === 'OpenRAIL-M'
    return isRestricted && licence.name !== acceptedLicence
  })
  if (!restricted) return
  throw new Error(
    `The licence of ${restricted.name} restricts its use. If you accept it, add --accept-licence "${restricted.licence.name}"`,
  )
}
