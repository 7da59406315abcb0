import { existsSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import {
  archiveName,
  type CatalogueEntry,
  downloadBytes,
  findEntry,
  formatBytes,
  isConfirmed,
} from '../catalogue/catalogue.ts'
import { listInstalled } from '../catalogue/installed.ts'
import { describeMachine, type Machine, misfit, pickNatural } from '../catalogue/machine.ts'
import { installModel } from '../install/install.ts'
import { installAddon } from '../install/install-addon.ts'
import { loaderFor } from '../install/load-model.ts'
import { findSherpa } from '../sherpa/find-sherpa.ts'
import { installFolderOf } from '../sherpa/model-folders.ts'
import type { ModelCommand, Run } from './command.ts'
import { showEvents, type Terminal } from './terminal.ts'

/** Installs models after the user has seen their licences and sizes. */
export async function addModels({ command, terminal, offered, signal }: Run): Promise<void> {
  const { dataFolder, enginesFolder, kind, isDryRun, isJson } = command
  const machine = await describeMachine()
  const folder = installFolderOf(dataFolder)
  const chosen = chooseEntries(command, machine, offered)
  const installed = (await listInstalled(folder)).map(({ name }) => name)
  const entries = chosen.filter(({ name }) => !installed.includes(name))
  for (const { name } of chosen.filter((entry) => !entries.includes(entry))) {
    terminal.note(`${name} is already installed`)
  }
  let { packagePath } = findSherpa([enginesFolder, dataFolder])
  const needsAddon = !packagePath && !machine.unsupported
  for (const entry of entries) terminal.note(describe(entry, machine))
  if (needsAddon)
    terminal.note(
      '\nsherpa-onnx-node, which runs the models, is not installed. npm will install it too (about 32 MB).',
    )
  if (isDryRun || entries.length === 0) {
    if (isJson)
      terminal.print(JSON.stringify({ install: entries, installAddon: needsAddon }, null, 1))
    return
  }
  await requireConsent(command, entries, terminal, signal)
  if (needsAddon) {
    // The standard output is for the result of the command.
    await installAddon(dataFolder, { signal, onOutput: (text) => process.stderr.write(text) })
    packagePath = findSherpa([enginesFolder, dataFolder]).packagePath
  }
  const results = []
  for (const entry of entries) {
    const model = await installModel(entry, {
      folder,
      ...placeOf(command.from, entry),
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
  terminal.note(
    `A running service offers it in a few seconds. To hear how fast it is here: parlando-local ${kind}s test ${entries[0]!.name}`,
  )
}

function chooseEntries(
  { kind, names, languages }: ModelCommand,
  machine: Machine,
  offered: readonly CatalogueEntry[],
): CatalogueEntry[] {
  return names.flatMap((name) => {
    if (kind !== 'voice' || name !== 'natural') return findEntry(kind, name, offered)
    const own = Intl.DateTimeFormat().resolvedOptions().locale
    return pickNatural(offered, machine, languages.length > 0 ? languages : [own])
  })
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

function describe(entry: CatalogueEntry, machine: Machine): string {
  const { displayName, name, summary, languages, licence } = entry
  const lines = [
    '',
    `${displayName} (${name}): ${summary}; ${languages.join(', ')}`,
    `  Download: ${formatBytes(downloadBytes(entry))}`,
    `  Licence: ${licence.name}, ${licence.url}`,
    licence.notice && `  ${licence.notice}`,
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
    if (!terminal.isInteractive) throw new Error('Add --yes to install without a question')
    if (await terminal.confirm('\nInstall and accept the licence?', signal)) return
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
