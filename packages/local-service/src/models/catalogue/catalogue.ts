import { basename } from 'node:path/posix'
import { pathToFileURL } from 'node:url'
import type { MachineClass } from '../../machine/machine-class.ts'
import type { ModelKind } from '../sherpa/model-kind.ts'
import entries from './catalogue.json' with { type: 'json' }
import { ModelError } from './model-error.ts'

/** Every model that the commands offer. Nobody of this project has downloaded an entry whose `checkedOn` is `null`. */
export const catalogue = entries as readonly CatalogueEntry[]

/** @throws {ModelError} if the name is unknown; it lists those that are known. */
export function findEntry(
  kind: ModelKind,
  name: string,
  among: readonly CatalogueEntry[] = catalogue,
): CatalogueEntry {
  const offered = among.filter((entry) => entry.kind === kind)
  const found = offered.find((entry) => entry.name === name || entry.folder === name)
  if (found) return found
  const names = offered.map((entry) => entry.name).join(', ')
  throw new ModelError('UNKNOWN_MODEL', `Unknown ${kind}: ${name}. The catalogue has ${names}`)
}

/** A model that the catalogue offers. */
export interface CatalogueEntry {
  /** What the user types, such as `thorsten`. */
  name: string
  kind: ModelKind
  /** The folder of the unpacked model. sherpa-onnx models are recognised by this name. */
  folder: string
  displayName: string
  /** The family of the model, such as `piper`. */
  family: string
  /** Their tags of BCP 47. */
  languages: readonly string[]
  /** The code for a model whose folder name does not contain its only language, such as `EN_US`. */
  langCode?: string
  /** One line that says for what and for whom the model is. */
  summary: string
  /** The smallest machine on which the model is likely to keep up with speech, by statements of others. */
  machine: MachineClass
  /** Whether the alias `natural` may choose it for its language. */
  isNatural?: true
  /** After unpacking, if known. */
  installedBytes?: number
  licence: Licence
  /** Tried in this order. */
  sources: readonly ModelSource[]
  /** The day on which `npm run catalogue` last compared every address, size and checksum; `null`: never. */
  checkedOn: string | null
}

export interface Licence {
  /** The licence of the weights, such as `CC0-1.0`. */
  name: string
  url: string
  /** Whether the licence allows commercial use; `unclear` if its maker leaves it open. */
  commercialUse: 'yes' | 'no' | 'unclear'
  /** What the user must know before the download. */
  notice?: string
}

/** An archive with one folder, or single files. */
export type ModelSource = { archive: RemoteFile } | { files: readonly ModelFile[] }

export interface RemoteFile {
  bytes: number
  /** Absent if nobody has published it: then the first download decides. */
  sha256?: string
  /** Whether two projects that are independent of each other have published this checksum. */
  isConfirmed: boolean
  /** Mirrors, tried in this order. */
  urls: readonly string[]
}

export interface ModelFile extends RemoteFile {
  /** Inside the folder of the model. */
  path: string
}

/** Whether a model is a voice of hibari, which the service runs itself, without sherpa-onnx. */
export const isHibari = ({ family }: CatalogueEntry): boolean => family === 'hibari'

export function sourceFiles(source: ModelSource): readonly RemoteFile[] {
  return 'archive' in source ? [source.archive] : source.files
}

export function sourceBytes(source: ModelSource): number {
  return sourceFiles(source).reduce((sum, { bytes }) => sum + bytes, 0)
}

/** The bytes to download, from the first source. */
export function downloadBytes({ sources: [source] }: CatalogueEntry): number {
  return source ? sourceBytes(source) : 0
}

/** Whether two independent projects have published the checksum of every file. */
export function isConfirmed({ sources }: CatalogueEntry): boolean {
  return sources.flatMap(sourceFiles).every((file) => file.isConfirmed && file.sha256)
}

/**
 * The same source, with its files on one other server or in a folder: an archive by its name, a single file below the name
 * of the model's folder.
 * @param base a URL, or the path of a folder.
 */
export function mirrorSource(
  entry: CatalogueEntry,
  source: ModelSource,
  base: string,
): ModelSource {
  const root = /^https?:\/\//.test(base) ? base : pathToFileURL(base).href
  const at = (path: string) => [`${root.replace(/(?<!\/)\/+$/, '')}/${path}`]
  if ('archive' in source) {
    return { archive: { ...source.archive, urls: at(archiveName(source.archive)) } }
  }
  return {
    files: source.files.map((file) => ({ ...file, urls: at(`${entry.folder}/${file.path}`) })),
  }
}

/** The name of an archive, as on the servers of its maker. */
export function archiveName({ urls: [url = ''] }: RemoteFile): string {
  return basename(new URL(url).pathname)
}
