import { languageOf } from '@parlando/core/text'
import { formatBytes } from '../../machine/resources.ts'
import {
  type CatalogueEntry,
  downloadBytes,
  isConfirmed,
} from '../../models/catalogue/catalogue.ts'
import { describeMachine, misfit } from '../../models/catalogue/machine-fit.ts'
import { installFolderOf, listInstalled } from '../../models/install/install-record.ts'
import type { Run } from './command.ts'

const maxLanguages = 4

/** Prints the installed models and those that can be installed. */
export async function listModels({ command, terminal, offered }: Run): Promise<void> {
  const { kind, languages, dataFolder, isJson } = command
  const machine = await describeMachine()
  const installed = await listInstalled(installFolderOf(dataFolder))
  const names = new Set(installed.map(({ name }) => name))
  const rows = offered
    .filter((entry) => entry.kind === kind && speaksOneOf(entry, languages))
    .map((entry) => ({
      name: entry.name,
      isInstalled: names.has(entry.name),
      languages: entry.languages,
      downloadBytes: downloadBytes(entry),
      licence: entry.licence,
      summary: entry.summary,
      misfit: misfit(entry, machine) ?? null,
      isConfirmed: isConfirmed(entry),
      checkedOn: entry.checkedOn,
    }))
  // The voice files of users are among them.
  const others = installed
    .filter((model) => model.kind === kind && !offered.some(({ name }) => name === model.name))
    .map(({ name, bytes, origin }) => ({ name, isInstalled: true, bytes, origin }))
  if (isJson) return terminal.print(JSON.stringify([...rows, ...others], null, 1))
  const table = rows.map((row) => [
    row.isInstalled ? 'installed' : '',
    row.name,
    row.languages.length > maxLanguages
      ? `${row.languages.length} languages`
      : row.languages.join(' '),
    formatBytes(row.downloadBytes),
    row.licence.name,
    row.misfit ? `${row.summary} (${row.misfit})` : row.summary,
  ])
  const more = others.map(({ name, bytes, origin }) => {
    return ['installed', name, '', formatBytes(bytes), '', `from ${origin}`]
  })
  terminal.print(toTable([...table, ...more]))
  if (machine.unsupported) terminal.note(`\n${machine.unsupported}`)
  terminal.note(`\nTo install one: parlando-local ${kind}s add NAME`)
}

function speaksOneOf(entry: CatalogueEntry, languages: readonly string[]): boolean {
  const spoken = entry.languages.map(languageOf)
  return languages.length === 0 || languages.some((each) => spoken.includes(languageOf(each)))
}

function toTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const lines = rows.map((row) => row.map((cell, at) => cell.padEnd(widths![at]!)).join('  '))
  return lines.map((line) => line.trimEnd()).join('\n')
}
