import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { defineConfig, type Options } from 'tsup'
import manifest from './package.json'

const nodeFiles = Object.values(manifest['node-red'].nodes)

const nodes: Options = {
  // The nodes that package.json names, each in its folder: dist/nodes/speak/speak.js comes from src/nodes/speak/speak.ts.
  entry: Object.fromEntries(nodeFiles.map((file) => [outputName(file), sourceOf(file)])),
  format: ['cjs'],
  target: 'node20',
  clean: true,
  silent: true,
  async onSuccess() {
    for (const folder of nodeFiles.map(dirname)) {
      await cp(sourceOf(folder), folder, { recursive: true, filter: isForm })
      await copyLocales(folder)
    }
    for (const language of await readdir('src/locales'))
      await cp(`src/locales/${language}/spoken.json`, `dist/locales/${language}/spoken.json`)
    await cp('../../examples/flows', 'examples', { recursive: true })
  },
}

/** What a bundle takes from the core comes from its sources: no build of the core is needed first. */
const fromSources: Options = {
  noExternal: [/./],
  esbuildOptions(options) {
    options.conditions = ['@parlando/source']
  },
}

/** The forms and the voice studio, for the browser: Node-RED serves the folder `resources` to its editor. */
const editor: Options = {
  entry: {
    editor: 'src/nodes/forms.ts',
    studio: 'src/editor/studio/studio.ts',
    'microphone-worklet': 'src/pages/microphone/worklet.ts',
  },
  outDir: 'resources',
  format: ['iife'],
  outExtension: () => ({ js: '.js' }),
  target: 'es2022',
  platform: 'browser',
  ...fromSources,
  minify: true,
  clean: true,
  silent: true,
  async onSuccess() {
    await cp('src/editor/editor.css', 'resources/editor.css')
    await cp('src/editor/studio/studio.css', 'resources/studio.css')
  },
}

/** The pages that make a browser a speaker or a microphone. The target is Safari 15, for older tablets. */
const pages: Options = {
  entry: {
    speaker: 'src/pages/speaker/speaker-view.ts',
    microphone: 'src/pages/microphone/microphone-view.ts',
    list: 'src/pages/list/list-view.ts',
    'microphone-worklet': 'src/pages/microphone/worklet.ts',
  },
  outDir: 'dist/pages',
  format: ['iife'],
  outExtension: () => ({ js: '.js' }),
  target: 'safari15',
  platform: 'browser',
  ...fromSources,
  minify: true,
  silent: true,
  async onSuccess() {
    const styles = await readFile('src/pages/page.css', 'utf8')
    const question = await readFile('src/pages/speaker/question.html', 'utf8')
    for (const page of ['speaker', 'microphone', 'list']) {
      const html = await readFile(`src/pages/${page}/${page}.html`, 'utf8')
      const texts = JSON.stringify(await readPageTexts(page)).replaceAll('<', '\\u003c')
      const filled = html
        .replace('{{page.css}}', () => styles)
        .replace('{{question}}', () => question)
        .replace('{{texts}}', () => texts)
      await writeFile(`dist/pages/${page}.html`, filled)
    }
  },
}

export default defineConfig([nodes, editor, pages])

function sourceOf(path: string): string {
  return path.replace(/^dist/, 'src').replace(/\.js$/, '.ts')
}

function outputName(path: string): string {
  return path.replace(/^dist\//, '').replace(/\.js$/, '')
}

/** Forms and icons are copied unchanged. */
function isForm(path: string): boolean {
  return !/\.m?ts$/.test(basename(path))
}

/** Node-RED finds the texts and the help of a node in a folder of each language, in the folder of the node. */
async function copyLocales(folder: string): Promise<void> {
  const node = basename(folder)
  for (const language of await readdir('src/locales')) {
    const target = `${folder}/locales/${language}`
    await cp(`src/locales/${language}/${node}.html`, `${target}/${node}.html`)
    const catalogues = node === 'service' ? [node, ...sharedCatalogues] : [node]
    const texts: object[] = await Promise.all(catalogues.map((name) => readTexts(language, name)))
    if (node === 'service') texts.push({ reading: await readReadingTexts() })
    await writeFile(`${target}/${node}.json`, JSON.stringify(Object.assign({}, ...texts)))
  }
}

/** What the voice studio lets somebody read aloud, by language: that of a clone is often not that of the editor. */
async function readReadingTexts(): Promise<Record<string, string>> {
  const languages = await readdir('src/locales')
  const texts = languages.map(async (language) => {
    const { reading } = JSON.parse(await readFile(`src/locales/${language}/spoken.json`, 'utf8'))
    return [new Intl.Locale(language).language, reading]
  })
  return Object.fromEntries(await Promise.all(texts))
}

/** Node-RED has one catalogue for each node. That of the service node, which is always loaded, contains the shared texts. */
const sharedCatalogues = ['editor', 'studio', 'shared']

/** The texts of a page by language: the browser chooses one. */
async function readPageTexts(page: string): Promise<Record<string, object>> {
  const languages = await readdir('src/locales')
  const texts = languages.map(async (language) => {
    const { pages = {} } = await readTexts(language, 'pages')
    return [language, { ...pages['address'], ...pages['recording'], ...pages[page] }]
  })
  return Object.fromEntries(await Promise.all(texts))
}

async function readTexts(
  language: string,
  catalogue: string,
): Promise<Record<string, Record<string, object>>> {
  return JSON.parse(await readFile(`src/locales/${language}/${catalogue}.json`, 'utf8'))
}
