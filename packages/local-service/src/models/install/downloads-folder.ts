import { join } from 'node:path'
import {
  archiveName,
  type CatalogueEntry,
  type ModelFile,
  type RemoteFile,
} from '../catalogue/catalogue.ts'

/** In the folder of the models. */
export const downloadsFolder = '.downloads'

/** The folder of received files and parts of files, until the model is installed. */
export function downloadsOf(folder: string, { name }: Pick<CatalogueEntry, 'name'>): string {
  return join(folder, downloadsFolder, name)
}

/** The path of a file in that folder. */
export function pathOfDownload(downloads: string, file: RemoteFile | ModelFile): string {
  return join(downloads, 'path' in file ? file.path : archiveName(file))
}
