// How the editor looks: the site's tokens, and code in one colour, because colour means something
// here. Weight and slant tell words of the language, comments and texts apart.

import { EditorView } from "@codemirror/view";
import { HighlightStyle } from "@codemirror/language";
import { tags } from "@lezer/highlight";

export const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword, tags.moduleKeyword], fontWeight: "650" },
  { tag: [tags.comment, tags.docString], color: "var(--soft)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--soft)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--ink)" },
  { tag: tags.function(tags.definition(tags.variableName)), fontWeight: "650", textDecoration: "underline dotted var(--edge)", textUnderlineOffset: "4px" },
  { tag: tags.definition(tags.className), fontWeight: "650" },
  { tag: tags.meta, color: "var(--soft)", fontWeight: "650" },
  { tag: tags.invalid, color: "var(--miss)" },
]);

const box = { border: "1px solid var(--line)", borderRadius: "10px", backgroundColor: "var(--card)", color: "var(--ink)", boxShadow: "0 8px 24px var(--shade)" };

export const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--card)", fontSize: "var(--t-1)", borderRadius: "0 0 15px 15px" },
  "&.cm-focused": { outline: "none" }, // the host shows it
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.65", overflow: "auto", borderRadius: "inherit" },
  ".cm-content": { caretColor: "var(--call)", padding: "12px 0 40px" },
  ".cm-line": { padding: "0 16px 0 8px" },
  ".cm-gutters": { backgroundColor: "var(--card)", color: "var(--faint)", border: "none", paddingLeft: "8px" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine, &.cm-focused .cm-activeLineGutter": { backgroundColor: "var(--sunk)" },
  ".cm-line.cm-now": { backgroundColor: "var(--call-bg)" },
  ".cm-cursor": { borderLeftColor: "var(--call)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "color-mix(in srgb, var(--call) 26%, transparent)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--call-bg)", outline: "1px solid var(--edge)" },
  ".cm-selectionMatch": { backgroundColor: "var(--call-bg)" },
  ".cm-shapes": { width: "22px" },
  ".cm-shape": { display: "inline-grid", placeItems: "center", width: "100%", height: "1.65em", cursor: "pointer" },
  ".cm-word": { position: "sticky", right: "8px", backgroundColor: "var(--card)", marginLeft: "2ch", padding: "0 7px", borderRadius: "999px", font: "600 var(--t-2)/1.5 var(--sans)", cursor: "pointer", whiteSpace: "nowrap", border: "1px solid currentColor" },
  ".cm-fast, .cm-loaded": { color: "var(--hit)" },
  ".cm-python, .cm-silent": { color: "var(--soft)" },
  ".cm-once": { color: "var(--soft)" },
  ".cm-again, .cm-raised": { color: "var(--miss)" },
  ".cm-word.cm-again, .cm-word.cm-raised": { backgroundColor: "var(--miss-bg)", borderColor: "transparent" },
  ".cm-word.cm-fast": { backgroundColor: "var(--hit-bg)", borderColor: "transparent" },
  ".cm-tooltip": box,
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxHeight: "16em" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "4px 10px", lineHeight: "1.5" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--call-bg)", color: "var(--ink)" },
  ".cm-completionDetail": { color: "var(--soft)", fontStyle: "normal", marginLeft: "1.5ch" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "650", color: "var(--call)" },
  ".cm-diagnostic": { padding: "6px 12px", borderLeft: "3px solid var(--miss)", fontFamily: "var(--sans)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--miss)", textUnderlineOffset: "4px" },
  ".cm-panels": { backgroundColor: "var(--sunk)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--line)" },
  ".cm-panel input, .cm-panel button, .cm-textfield, .cm-button": { font: "var(--t-1)/1.4 var(--sans)", backgroundImage: "none", backgroundColor: "var(--card)", color: "var(--ink)", border: "1px solid var(--edge)", borderRadius: "8px" },
  ".cm-panel.cm-search label": { font: "var(--t-1)/1.4 var(--sans)" },
});
