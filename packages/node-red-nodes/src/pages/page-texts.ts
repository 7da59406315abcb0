import { languageOf } from '@parlando/core/text'
import type english from '../locales/en-US/pages.json'

type PageTexts = (typeof english)['pages']

/** The texts about a microphone that the server opens. */
export type MicrophoneTexts = PageTexts['recording']

/** The texts of one page, and why there is no connection or no microphone. */
export type TextsOf<Page extends 'speaker' | 'microphone' | 'list'> = PageTexts[Page] &
  PageTexts['address'] &
  MicrophoneTexts

/** What the build puts into a page: its texts by language, such as `en-US`. */
type TextsByLanguage<Texts> = Readonly<Record<string, Texts>>

/** The texts of this page in a language that its user reads, which becomes that of the document. */
export function pageTexts<Page extends 'speaker' | 'microphone' | 'list'>(): ChosenTexts<
  TextsOf<Page>
> {
  const json = element('page-texts').textContent
  const chosen = chooseTexts<TextsOf<Page>>(JSON.parse(json), navigator.languages)
  document.documentElement.lang = chosen.language
  return chosen
}

export function element<Type extends HTMLElement>(id: string): Type {
  return document.getElementById(id) as Type
}

/** Writes a text into an element of the page. */
export function write(id: string, text: string): void {
  element(id).textContent = text
}

interface ChosenTexts<Texts> {
  language: string
  texts: Texts
}

/**
 * The texts in the first language of the browser that there is, or else in English.
 * @param languages Such as `de-AT`, the preferred one first.
 */
export function chooseTexts<Texts>(
  all: TextsByLanguage<Texts>,
  languages: readonly string[],
): ChosenTexts<Texts> {
  const known = Object.keys(all)
  const found = languages.map((wanted) => {
    const isSame = (one: string) => one.toLowerCase() === wanted.toLowerCase()
    return known.find(isSame) ?? known.find((one) => languageOf(one) === languageOf(wanted))
  })
  const language = found.find((one) => one !== undefined) ?? 'en-US'
  return { language, texts: all[language]! }
}
