// internal
import { themeStyles } from "../../page/index.js";

const icons = {
  info: "%3Cpath d='M12 3a6.5 6.5 0 0 0-3.6 11.9c.7.5 1.1 1.2 1.1 2V17h5v-.1c0-.8.4-1.5 1.1-2A6.5 6.5 0 0 0 12 3zM9.7 19h4.6v1.2a1 1 0 0 1-1 1h-2.6a1 1 0 0 1-1-1z'/%3E",
  warn: "%3Cpath d='M12 3 2 20.5h20zm-1 6.2h2v5.6h-2zm0 7h2v2h-2z'/%3E",
  good: "%3Cpath d='M12 2.5a9.5 9.5 0 1 0 0 19 9.5 9.5 0 0 0 0-19zm-1.6 14.1L6 12.2l1.5-1.5 2.9 2.9 6.1-6.1L18 9z'/%3E",
  bad: "%3Cpath d='M12 2.5a9.5 9.5 0 1 0 0 19 9.5 9.5 0 0 0 0-19zm4.6 12.7-1.4 1.4-3.2-3.2-3.2 3.2-1.4-1.4 3.2-3.2-3.2-3.2 1.4-1.4 3.2 3.2 3.2-3.2 1.4 1.4-3.2 3.2z'/%3E",
};

function getIcon(kind: keyof typeof icons): string {
  return `url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E${icons[kind]}%3C/svg%3E")`;
}

const kinds = (Object.keys(icons) as (keyof typeof icons)[]) // its own keys
  .map(
    (kind) =>
      `.callout.${kind}{--tone:var(--${kind});--wash:var(--${kind}-wash)}.${kind}>.callout-title .icon{-webkit-mask-image:${getIcon(kind)};mask-image:${getIcon(kind)}}`,
  )
  .join("\n");

const lightKinds =
  "--info:#0b5f94;--info-wash:#eef5fa;--warn:#8a4b00;--warn-wash:#fdf5e6;--good:#00694d;--good-wash:#ecf7f2;--bad:#a8282f;--bad-wash:#fcf0ef;--pre:#f6f6f2;--mark:#fff3c4";
const darkKinds =
  "--info:#7cc0ee;--info-wash:#18242d;--warn:#f0bf73;--warn-wash:#2a2317;--good:#5fd0a9;--good-wash:#172721;--bad:#f29a96;--bad-wash:#2c1c1d;--pre:#1a1e22;--mark:#4a3f14";

/** Colours of callouts and code in both themes. */
const colours = `
:root{${lightKinds}}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${darkKinds}}}
:root[data-theme=dark]{${darkKinds}}
@media print{:root,:root[data-theme=dark],:root:not([data-theme=light]){${lightKinds}}}
`;

const layout = `
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-top:1.2rem}
body{margin:0;background:var(--paper);color:var(--ink);font:400 1.0625rem/1.68 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"PingFang SC","Hiragino Sans GB","Microsoft YaHei","Noto Sans CJK SC","Noto Sans SC",sans-serif;overflow-wrap:break-word;font-kerning:normal}
:root:is(:lang(zh),:lang(ja),:lang(ko)) body{line-height:1.82;text-autospace:normal;text-spacing-trim:trim-start}
.hidden{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:-99rem;top:.5rem;background:var(--ink);color:var(--paper);padding:.4rem .8rem;z-index:9;border-radius:6px}
.skip:focus{left:.5rem}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:3px}
a{color:var(--link);text-underline-offset:.18em;text-decoration-thickness:.06em}
.sheet{display:grid;grid-template-columns:minmax(13rem,17rem) minmax(0,1fr);column-gap:clamp(2rem,5vw,5rem);max-width:82rem;margin:0 auto;padding:0 clamp(1rem,4vw,3rem)}
.side{position:sticky;top:0;align-self:start;max-height:100vh;overflow-y:auto;padding:1.6rem .4rem 2rem 0;scrollbar-width:thin;font-size:.84rem;line-height:1.45}
.side .bar{display:flex;justify-content:space-between;align-items:center;gap:.5rem;margin:0 0 .9rem}
.brand{font-weight:700;letter-spacing:-.01em;color:var(--muted);font-size:.8rem}
#tw-theme{font:inherit;font-size:.78rem;color:var(--soft);background:none;border:1px solid var(--edge);border-radius:99px;padding:.12rem .65rem;cursor:pointer}
#tw-theme:hover{color:var(--ink);border-color:var(--muted)}
#tw-contents>summary{list-style:none;font-weight:650;color:var(--ink);padding:.2rem 0;cursor:pointer}
#tw-contents>summary::-webkit-details-marker{display:none}
.side ol{list-style:none;margin:0;padding:0}
.side li li a{padding-left:1.7rem;color:var(--muted);font-size:.95em}
.side a{display:block;padding:.22rem .4rem .22rem .85rem;color:var(--soft);text-decoration:none;border-left:2px solid var(--line)}
.side a:hover{color:var(--ink);border-color:var(--edge)}
.side a[aria-current]{color:var(--link);border-color:var(--link);font-weight:600}
.side .katex{font-size:1em}
main{min-width:0;padding:2.6rem 0 4rem;--measure:46rem}
main>*{max-width:var(--measure)}
main>.scroll{max-width:54rem}
@media (max-width:62rem){
.sheet{grid-template-columns:minmax(0,1fr)}
.side{position:static;max-height:none;overflow:visible;padding:.9rem 0 0}
.side .bar{margin-bottom:.3rem}
#tw-contents{border-block:1px solid var(--line);padding:.3rem 0}
#tw-contents>summary::after{content:" ▾";color:var(--muted)}
#tw-contents[open]>ol{max-height:60vh;overflow-y:auto}
.side a{padding-block:.36rem}
main{padding-top:1.6rem}
}
`;

const masthead = `
.masthead{margin-bottom:2.4rem}
.eyebrow{color:var(--link);font-weight:600;font-size:.82rem;letter-spacing:.04em;margin:0 0 .7rem}
h1{font:500 clamp(1.8rem,1.2rem + 2.6vw,2.75rem)/1.16 ui-serif,"Iowan Old Style",Charter,"Palatino Linotype",Georgia,Cambria,"Songti SC","Noto Serif CJK SC",serif;letter-spacing:-.014em;margin:0;text-wrap:balance}
.subtitle{font-size:1.16rem;line-height:1.5;color:var(--soft);margin:.9rem 0 0;text-wrap:pretty}
.byline{color:var(--muted);font-size:.9rem;margin:1rem 0 0}
.verdicts{margin-top:1.3rem;padding:.7rem .9rem;border:1px solid var(--line);border-radius:8px;font-size:.85rem;line-height:1.5;color:var(--soft);background:var(--card)}
.verdicts p{margin:0}
.verdicts ul{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem .5rem;margin:.45rem 0 0;padding:0}
.verdicts details{border:0;padding:0;margin:.3rem 0 0;background:none}.verdicts summary{padding:.1rem 0 .1rem 1.2rem;font-weight:400}.verdicts summary::before{top:.55rem}
.verdicts .skipped{margin-top:.4rem;color:var(--muted)}
.verdicts ul.deferred{display:block;list-style:disc;padding-left:1.1rem}
.verdict{display:inline-flex;gap:.35rem;align-items:baseline;border:1px solid var(--edge);border-radius:99px;padding:.04rem .6rem;white-space:nowrap;max-width:100%;overflow:hidden;text-overflow:ellipsis}
.verdict b{font-weight:650}
.verdict.pass b{color:var(--good)}.verdict.warn b,.verdict.stale b,.verdict.review_unavailable b,.verdict.blocked b,.verdict.not_run b{color:var(--warn)}.verdict.fail b,.verdict.error b{color:var(--bad)}
footer{grid-column:2;border-top:1px solid var(--line);color:var(--muted);font-size:.8rem;padding:1.1rem 0 2.4rem;max-width:46rem;overflow-wrap:anywhere}
@media (max-width:62rem){footer{grid-column:1}}
@media (max-width:30rem){.verdict{white-space:normal;flex-wrap:wrap;border-radius:12px}}
`;

const prose = `
h2,h3,h4,h5,h6{line-height:1.3;text-wrap:balance;margin:0;letter-spacing:-.008em}
h2{font-size:1.62rem;font-weight:660;margin:3.4rem 0 1.1rem;padding-top:1.5rem;border-top:1px solid var(--line)}
h3{font-size:1.22rem;font-weight:650;margin:2.3rem 0 .8rem}
h4{font-size:1.05rem;font-weight:650;margin:1.8rem 0 .6rem}
h5,h6{font-size:1rem;font-weight:650;margin:1.5rem 0 .5rem;color:var(--soft)}
.masthead+h2{border-top:0;margin-top:0;padding-top:0}
h2+h3{margin-top:1.4rem}
p{margin:0 0 1.05rem;text-wrap:pretty}
ul,ol{margin:0 0 1.05rem;padding-left:1.55rem}
li{margin:.22rem 0}
li>p,dd>p{margin:0}
li>p+p,li>p+div,dd>p+p{margin-top:.6rem}
.loose>li{margin:.65rem 0}
li>ul,li>ol{margin:.25rem 0 .35rem}
li::marker{color:var(--muted);font-variant-numeric:tabular-nums}
.task{list-style:none;margin-left:-1.4rem}
.task>input{float:left;margin:.5em .6em 0 0}
dl{margin:0 0 1.05rem}
dt{font-weight:650;margin-top:.7rem}
dd{margin:.1rem 0 .3rem 1.4rem;color:var(--soft)}
hr{border:0;border-top:1px solid var(--line);margin:2.4rem auto;width:100%}
blockquote{margin:0 0 1.05rem;padding:.1rem 0 .1rem 1.1rem;border-left:3px solid var(--edge);color:var(--soft)}
blockquote>:last-child,.callout-body>:last-child,details>:last-child,dd>:last-child{margin-bottom:0}
strong{font-weight:660}
:lang(zh) em,:lang(ja) em,:lang(ko) em{font-style:normal;text-emphasis:filled dot;text-emphasis-position:under right}
code,pre,kbd{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Noto Sans Mono CJK SC",monospace;text-autospace:no-autospace}
:not(pre)>code{font-size:.875em;background:var(--tint);border-radius:4px;padding:.1em .32em;overflow-wrap:anywhere;-webkit-box-decoration-break:clone;box-decoration-break:clone}
kbd{font-size:.82em;border:1px solid var(--edge);border-bottom-width:2px;border-radius:4px;padding:.05em .38em;background:var(--card)}
pre{position:relative;margin:0 0 1.25rem;padding:1rem 1.1rem;background:var(--pre);border:1px solid var(--line);border-radius:8px;overflow-x:auto;font-size:.83rem;line-height:1.58;tab-size:4;overflow-wrap:normal}
pre[data-language]{padding-top:2rem}
pre[data-language]::before{content:attr(data-language);position:absolute;left:1.1rem;top:.55rem;font:600 .68rem/1 system-ui,sans-serif;letter-spacing:.05em;color:var(--muted)}
pre[data-number]::before{content:attr(data-number) " · " attr(data-language)}
pre code{white-space:pre}
pre:has(+.output){margin-bottom:0;border-radius:8px 8px 0 0}
.output{margin:0 0 1.25rem;padding:.55rem 1.1rem .7rem;border:1px solid var(--line);border-top-style:dashed;border-radius:0 0 8px 8px;font-size:.83rem;line-height:1.5}
.output .name{display:block;font:600 .68rem/1.6 system-ui,sans-serif;letter-spacing:.05em;color:var(--muted)}
.output code{display:block;padding:0;background:none;font-size:1em;white-space:pre-wrap;overflow-wrap:anywhere}
pre[data-language=diagram],pre:not([data-language]){line-height:1.35}
pre[data-language=diagram]{padding-top:1rem}pre[data-language=diagram]::before{content:none}
img{max-width:100%;height:auto}
figure{margin:1.6rem 0}
figure img{display:block;margin:0 auto}
figcaption{color:var(--muted);font-size:.9rem;text-align:center;margin-top:.6rem}
sub,sup{font-size:.72em;line-height:0}
.note a{text-decoration:none;padding:0 .12em}
.footnotes{margin-top:3rem;border-top:1px solid var(--line);padding-top:1.2rem;font-size:.9rem;color:var(--soft)}
.footnotes h2{display:none}
.back{margin-left:.4em}
`;

const parts = `
.scroll{overflow-x:auto;margin:0 0 1.3rem;max-width:100%}
table{border-collapse:collapse;font-size:.92rem;line-height:1.5;min-width:min(100%,24rem);font-variant-numeric:tabular-nums lining-nums}
th,td{padding:.5rem .9rem .5rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line);min-width:5.2rem}
th:last-child,td:last-child{padding-right:.2rem}
th[align=center],td[align=center]{text-align:center}th[align=right],td[align=right]{text-align:right}
thead th{font-weight:620;color:var(--soft);border-bottom:1.5px solid var(--edge);vertical-align:bottom}
tbody tr:hover{background:var(--tint)}
caption{text-align:left;padding-bottom:.4rem}.caption,caption{color:var(--muted);font-size:.9rem}.caption{margin-bottom:.5rem}.caption .number,figcaption .number{font-weight:620}
.eq{display:flex;align-items:center;gap:.8rem;margin:0 0 1.15rem}
.eq-body{flex:1;min-width:0;overflow-x:auto;overflow-y:hidden;padding:.35rem 0}
.eq .number{color:var(--muted);font-variant-numeric:tabular-nums}
.eq .katex-display{margin:0}
span.eq{display:inline-flex;max-width:100%}
.katex{font-size:1.06em;text-autospace:no-autospace}
.katex .katex-mathml annotation{display:none}
:not(.katex-display)>.katex{white-space:normal}
.callout{margin:0 0 1.25rem;padding:.85rem 1.1rem;background:var(--wash);border-left:3px solid var(--tone);border-radius:0 8px 8px 0}
.callout-title{display:flex;align-items:flex-start;gap:.55rem;margin:0 0 .3rem;color:var(--tone);line-height:1.5}
.callout-title strong{font-weight:660}
.callout-title .icon{flex:none;width:1.15em;height:1.15em;margin-top:.2em;background:var(--tone);-webkit-mask:center/contain no-repeat;mask:center/contain no-repeat}
.callout.untitled{display:flex;gap:.55rem}
.callout.untitled .callout-title{margin:0}
.callout-body{min-width:0}
.callout p,.callout ul,.callout ol{margin-bottom:.6rem}
main details{margin:0 0 .7rem;border:1px solid var(--line);border-radius:8px;background:var(--card);padding:0 1.1rem}
main details[open]{padding-bottom:1.1rem}
main summary{cursor:pointer;list-style:none;display:block;position:relative;z-index:1;padding:.7rem 0 .7rem 1.5rem;font-weight:560;line-height:1.5}
main summary::-webkit-details-marker{display:none}
main summary::before{content:"";position:absolute;left:.2rem;top:1.25rem;width:.42rem;height:.42rem;border:solid var(--muted);border-width:0 2px 2px 0;transform:translateY(-.1rem) rotate(-45deg);transition:transform .12s}
main details[open]>summary::before{transform:translateY(-.15rem) rotate(45deg)}
main details[open]>summary{border-bottom:1px solid var(--line);margin-bottom:.9rem}
main summary:hover{color:var(--link)}
.claim{text-decoration:underline dotted 1px;text-decoration-color:var(--muted);text-underline-offset:.22em;color:inherit}
a.claim:hover{text-decoration:underline solid 1px var(--link);color:var(--link)}
.unresolved,.formula-error,.mark-error{background:var(--bad-wash);color:var(--bad);border-radius:3px;padding:0 .2em}
.formula-error{white-space:pre-wrap;text-decoration:underline wavy var(--bad) 1px;text-underline-offset:.25em}
.mark-error{font-size:.78em;margin-left:.35em}
.no-image{display:inline-block;border:1px dashed var(--edge);border-radius:6px;padding:.3rem .7rem}
.status{border-bottom:1.5px dashed var(--warn)}
.status.public{border-bottom-color:var(--good)}
.status-mark{font-size:.7em;font-weight:600;letter-spacing:.02em;color:var(--warn);border:1px solid currentColor;border-radius:99px;padding:.02em .5em;margin-left:.4em;white-space:nowrap;vertical-align:.12em}
.public>.status-mark{color:var(--good)}
.old-anchor{position:absolute}
.part-title{font-weight:650;margin:0 0 .6rem;color:var(--ink)}
.evidence{margin-top:3rem;border-top:1px solid var(--line);padding-top:1.2rem;font-size:.86rem;line-height:1.5;color:var(--soft)}
.evidence ul,.evidence ol{padding-left:0;list-style-position:inside;margin:0}.evidence ul{list-style:none}
.evidence li{margin:0;padding:.5rem 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
.evidence li p{margin:0 0 .2rem}
.evidence dl{display:grid;grid-template-columns:minmax(5rem,auto) minmax(0,1fr);gap:.1rem .9rem;margin:0}
.evidence dt{color:var(--muted);font-weight:400;margin:0}.evidence dd{margin:0;font-variant-numeric:tabular-nums}
.note-text{color:var(--warn)}
@media screen{.evidence li:target{position:fixed;inset:auto max(1rem,50vw - 19rem) 1rem;z-index:8;max-height:60vh;overflow-y:auto;padding:.9rem 1.1rem;background:var(--card);color:var(--ink);border:1px solid var(--edge);border-radius:10px;box-shadow:0 10px 40px rgb(0 0 0/.22)}}
${kinds}
@media (prefers-reduced-motion:reduce){main summary::before{transition:none}}
@media (max-width:40rem){
body{font-size:1rem}
h2{font-size:1.4rem;margin-top:2.6rem}
pre{font-size:.78rem;padding-inline:.85rem}pre[data-language]::before{left:.85rem}
.callout{padding:.75rem .85rem}main details{padding-inline:.8rem}
ul,ol{padding-left:1.3rem}
}
`;

const print = `
@media print{
@page{margin:18mm 16mm}
body{font-size:10pt;line-height:1.5}
.side,.skip,#tw-theme{display:none}
.sheet{display:block;max-width:none;padding:0}
main{padding:0}main>*,main>.scroll,main>pre,main>.eq,footer{max-width:none}
h2,h3,h4{break-after:avoid}
h2{margin-top:1.6rem;padding-top:.8rem;font-size:15pt}h1{font-size:22pt}h3{font-size:12pt}
pre{white-space:pre-wrap;overflow:visible;overflow-wrap:anywhere;font-size:8pt}pre code{white-space:pre-wrap}
.scroll,.eq-body{overflow:visible}
table{font-size:8.5pt;width:100%}th,td{min-width:0;overflow-wrap:anywhere;padding-right:.5rem}
.eq-body .katex-display>.katex{white-space:normal}.eq-body .katex-display .base{margin-bottom:.2em}
tr,figure,.callout,.eq{break-inside:avoid}
main details{border-color:var(--edge);background:none;break-inside:auto;padding-bottom:.7rem}
main details::details-content{content-visibility:visible;block-size:auto;opacity:1}
main details:not([open])>summary{border-bottom:1px solid var(--line);margin-bottom:.6rem}
main summary{break-after:avoid}
a{color:inherit}
}
`;

/** The style sheet of a published page, without formulas and code colours. */
export const documentStyles = [themeStyles, colours, layout, masthead, prose, parts, print]
  .join("")
  .replace(/\n+/g, "\n");
