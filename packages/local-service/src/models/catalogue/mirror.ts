import { basename } from 'node:path/posix'
import { pathToFileURL } from 'node:url'
import type { CatalogueEntry, ModelSource, RemoteFile } from './entry.ts'

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
