// Whether a text is in another language than English: by its letters, or by small words that
// English does not have. Text in quotes does not count, because a title may be in any language.

/** Frequent words of German, French, Spanish, Portuguese, Italian, Dutch, Polish and Swedish. */
const FOREIGN_WORDS: ReadonlySet<string> = new Set(
  (
    "der die das den dem ein eine einen einer ich du wir ihr und oder nicht ist sind wie viele welche bitte danke alle karte karten nach von mit zu auf verschiebe schiebe loesche füge mach mache zeig zeige erstelle was gibt es fertig fertigen erledigt hallo kannst guten tag " +
    "le la les un une des du et ou est sont je tu nous vous pas combien quelle quelles quels merci bonjour salut toutes tous carte cartes dans vers supprime supprimer ajoute déplace s'il te plaît montre avec " +
    "el los las uno una unos y o es son yo tú no cuántas cuantas cuántos tarjeta tarjetas gracias hola por favor mueve borra elimina todas todos añade muestra hay qué que en para con al " +
    "os as um uma e ou são não quantos quantas cartão cartões obrigado obrigada olá mova apague todos mostra excluir " +
    "il lo gli i e sono non quante quanti scheda schede grazie ciao sposta cancella tutte aggiungi mostra nella " +
    "het een de en of ik wij jullie niet hoeveel kaart kaarten naar verplaats verwijder voeg alle dank je wel hallo laat zien " +
    "taşı sil bana göster kartı kartlar kartları lütfen kaç tane var ekle merhaba teşekkürler sağol tamamlandı bitti hangi nerede evet hayır " +
    "flyt slet kort tilføj vis hvor mange siirrä poista kortti kortit näytä kiitos přesuň smaž kartu kolik törölj mozgasd köszönöm hány mută șterge mulțumesc pindahkan hapus kartu terima kasih berapa tolong di chuyển xóa thẻ cảm ơn " +
    "przenieś usuń wszystkie karty ile jest dziękuję cześć dodaj flytta ta bort alla kort till tack hej hur många"
  ).split(" "),
);
/** Of these also English, or names of anything. */
const ENGLISH_TOO: ReadonlySet<string> = new Set(
  "var vis kart mange i a no is on an die of en to do so y o e ta or was all at in no tag uno al as os la le de man hat kort alle mit du un el hay es son por i les je tu ou".split(
    " ",
  ),
);

/**
 * A word with a letter of Turkish, Polish, Czech, Hungarian, Romanian, the Baltic or the Nordic
 * languages. One that begins with a capital may be a name in an English text.
 */
const FOREIGN_LETTER = /(?<![\p{L}'])\p{Ll}*[ığşłśżźćęąńčřžšěůťďňőűăâșțāēīūķļņđøæœ]/u;

export function otherLanguage(text: string): boolean {
  const plain = text.replaceAll(/["“'‘«`][^"”'’»`]*["”'’»`]/g, " ");
  const letters = plain.match(/\p{L}/gu) ?? [];
  const notLatin = letters.filter((letter) => !/\p{Script=Latin}/u.test(letter));
  if (notLatin.length > 0 && notLatin.length * 3 >= letters.length) return true;
  if (/[¿¡]/.test(plain) || FOREIGN_LETTER.test(plain)) return true;
  const words = (plain.toLowerCase().match(/[\p{L}']+/gu) ?? []).filter(
    (word) => word.length > 1 || /\P{ASCII}/u.test(word),
  );
  const foreign = words.filter((word) => FOREIGN_WORDS.has(word));
  const certain = foreign.filter((word) => !ENGLISH_TOO.has(word));
  const accented = words.filter((word) => /[äöüßàâçéèêëîïôùûñáíóúãõåøæłśżźćęą]/.test(word));
  return certain.length > 0 && (foreign.length + accented.length >= 2 || words.length <= 3)
    ? true
    : foreign.length > 0 && accented.length > 0;
}
