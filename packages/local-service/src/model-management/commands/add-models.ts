import { existsSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { formatBytes } from '../../machine/resources.ts'
import {
  archiveName,
  type CatalogueEntry,
  downloadBytes,
  findEntry,
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
import { type InstallOptions, installModel } from '../../models/install/install-model.ts'
import {
  type InstalledModel,
  installFolderOf,
  listInstalled,
} from '../../models/install/install-record.ts'
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
export async function addModels(run: Run): Promise<void> {
  const { command, terminal, signal } = run
  const { dataFolder, enginesFolder, isDryRun, isJson } = command
  const machine = await describeMachine()
  const models = await chooseNew(run, machine)
  const { packagePath } = findSherpa([enginesFolder, dataFolder])
  const needsAddon =
    !packagePath && !machine.unsupported && models.some(({ entry }) => !isHibari(entry))
  showPlan(models, needsAddon, machine, terminal)
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
  }
  const results = await installAll(models, run)
  if (isJson) terminal.print(JSON.stringify(results, null, 1))
  else showNextSteps(command, results[0]!.name, terminal)
}

/** The models of the command that are not installed yet. */
async function chooseNew(
  { command, terminal, offered }: Run,
  machine: Machine,
): Promise<ModelToAdd[]> {
  const chosen = await chooseModels(command, machine, offered)
  const installed = (await listInstalled(installFolderOf(command.dataFolder))).map(
    ({ name }) => name,
  )
  const isNew = ({ entry }: ModelToAdd) => !installed.includes(entry.name)
  for (const { entry } of chosen.filter((model) => !isNew(model))) {
    terminal.note(`${entry.name} is already installed`)
  }
  return chosen.filter(isNew)
}

function showPlan(
  models: readonly ModelToAdd[],
  needsAddon: boolean,
  machine: Machine,
  terminal: Terminal,
): void {
  for (const model of models) terminal.note(describe(model, machine))
  if (!needsAddon) return
  terminal.note(
    '\nsherpa-onnx-node, which runs the models, is not installed. npm will install it too (about 32 MB).',
  )
}

/** Installs one model after the other. */
async function installAll(models: readonly ModelToAdd[], { command, terminal, signal }: Run) {
  const { dataFolder, enginesFolder } = command
  const { packagePath } = findSherpa([enginesFolder, dataFolder])
  const results: Pick<InstalledModel, 'name' | 'folder' | 'bytes' | 'origin'>[] = []
  for (const { entry, ...place } of models) {
    const { name, folder, bytes, origin } = await installModel(entry, {
      folder: installFolderOf(dataFolder),
      ...place,
      signal,
      onEvent: showEvents(entry.name, terminal),
      ...loaderFor(entry, packagePath),
    })
    results.push({ name, folder, bytes, origin })
    terminal.note(`${entry.name} is installed in ${folder}`)
  }
  return results
}

function showNextSteps({ kind }: ModelCommand, name: string, terminal: Terminal): void {
  terminal.note('A running service offers it in a few seconds.')
  if (kind === 'wake-word') return
  terminal.note(`To hear how fast it is here: parlando-local ${kind}s test ${name}`)
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
