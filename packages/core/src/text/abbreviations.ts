/** Abbreviations that never end a sentence. All lists: English, German, French, Spanish, Italian; lower case; no last full stop. */
export const neverFinal = /* @__PURE__ */ wordSet(`
  dr mr mrs ms prof rev hon gen sen rep gov capt lt col sgt cmdr maj pres messrs mme mlle mgr fr hr dipl ing
  sr sra srta dra e.g i.e z.b d.h s.o s.u u.u i.d.r o.ä u.ä p.ex vs cf vgl ca bzw approx resp inkl zzgl evtl ggf viz
  st mt pls tsp tbsp sig sig.ra sig.na dott dott.ssa avv p.zza v.le c.so av avda bd dña
`)

/** Abbreviations that do not end a sentence before a number: "No. 5". Without a number, "No." is a sentence. */
export const beforeNumber = /* @__PURE__ */ wordSet(`
  no nos nr nrn ext ver rm fig figs abb abs art bd vol ch chap sec eq p pp s tel max min st str op ed kap tab jan feb mar apr
  jun jul aug sep sept oct okt nov dec dez n tél tfno núm pág lun gio ven sab janv févr avr juil déc str
`)

/** Abbreviations that may end a sentence; the next word decides. */
export const maybeFinal = /* @__PURE__ */ wordSet(`
  etc usw usf inc ltd co corp bros jr al bldg dept est ave blvd rd m.a b.a ph.d u.a u.s u.k u.n e.u b.c a.d bc ad
`)

/** Halves of the day end a sentence before any capital letter: "at 7.30 p.m. Bells rang." */
export const dayHalves = /* @__PURE__ */ wordSet('a.m p.m')

/** Days of the week, which may begin a range: "Mo. - Fr." */
export const weekdays = /* @__PURE__ */ wordSet(`
  mon tue tues wed thu thur thurs fri sat sun mo di mi do fr sa so lun mar mer jeu ven sam dim gio sab dom mié jue vie sáb
`)

/** Days and months in full, which may end a range that an abbreviation begins: "Mo. - Freitag". */
export const daysAndMonths = /* @__PURE__ */ wordSet(`
  monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
  october november december
  montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz mai juni juli oktober dezember
  lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril juin juillet août septembre octobre
  novembre décembre
  lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio agosto septiembre
  octubre noviembre diciembre
  lunedì martedì mercoledì giovedì venerdì sabato domenica gennaio febbraio aprile maggio giugno luglio settembre ottobre
  dicembre
`)

/** Words that often begin a sentence and are rarely names or nouns. */
export const sentenceStarters = /* @__PURE__ */ wordSet(`
  a about after all also although an and another any are as at because before both but by can could did do does each
  either even every first for from had has have he her here his how however i if in instead is it its just last later
  let like many maybe meanwhile more most much my next no nobody not now of often on once one only or other our
  perhaps please she should since so some sometimes soon still such that the their then there these they this those
  though through thus to today together tomorrow tonight too under unless until was we well were what when where
  whether which while who why will with would yes yesterday yet you your
  aber als am an auch auf aus bei bis da danach dann das dass dein dem den denn der deshalb die dies diese dieser
  dieses doch du ein eine einen einer eines er es für ganz heute hier ich ihr ihre im in ist ja jede jeder jedes jetzt
  kein keine man mein mit morgen nach nein nicht noch nun nur ob oder ohne seit sein sie sind so und uns unser vom von
  vor wann warum was weil wenn wer wie wir wird wo zu zum zur
  alors avec ce cela ces cette dans de des elle elles en est et il ils je la le les mais nous on ou où par pas pour
  puis que qui si son sur tu un une vous
  como con cuando del el ella ellos entonces es esta este hay lo los las más no nosotros para pero por porque que
  según si sin también una uno usted y yo
  adesso anche c'è che chi come da dove gli i il lo ma nel nella nessuno oggi ora perché poi quando qui questa questo se
`)

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/))
}
