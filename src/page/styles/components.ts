// internal
import { maxChoices } from "../parts.js";

/** Which pane a radio button shows; without a script this is all there is. */
const choiceRules = Array.from({ length: maxChoices }, (_unused, index) => {
  const nth = index + 1;
  return `.choices>input:nth-of-type(${nth}):checked~.panes>:nth-child(${nth})`;
}).join(",");

const shades = Array.from({ length: 7 }, (_unused, index) => {
  const level = index + 1;
  const mix = (side: string) => `color-mix(in srgb,var(--${side}) calc(var(--heat)*${level}*.62),var(--card))`;
  return `.heat .p${level}{background:${mix("b")}}.heat .m${level}{background:${mix("a")}}`;
}).join("\n");

/**
 * A shade at each side of a table beyond which it goes on. The paper's colour moves with the content and covers the shade
 * where there is nothing more, so it needs no script.
 */
const edge = "color-mix(in srgb,var(--ink) 26%,transparent)";
const scrollShade = [
  "linear-gradient(to right,var(--paper) 35%,transparent) 0 0/2.4rem 100% no-repeat local",
  "linear-gradient(to left,var(--paper) 35%,transparent) 100% 0/2.4rem 100% no-repeat local",
  `linear-gradient(to right,${edge},transparent) 0 0/.7rem 100% no-repeat scroll`,
  `linear-gradient(to left,${edge},transparent) 100% 0/.7rem 100% no-repeat scroll`,
].join(",");

/** Tables, figures, choices, verdicts, facts. */
export const componentStyles = `
.scroll{position:relative;overflow-x:auto;margin:.6rem 0 1.2rem;-webkit-overflow-scrolling:touch;max-width:100%;background:${scrollShade}}
table{border-collapse:collapse;font-size:.89rem;font-variant-numeric:tabular-nums lining-nums;overflow-wrap:normal}
caption{text-align:left;color:var(--muted);font-size:.85rem;padding-bottom:.4rem}
th,td{padding:.42rem .85rem .42rem 0;text-align:right;white-space:nowrap;border-bottom:1px solid var(--line);vertical-align:baseline}
th:last-child,td:last-child{padding-right:.2rem}
thead th{color:var(--muted);font-weight:500;font-size:.82rem;border-bottom-color:var(--edge);vertical-align:bottom;white-space:normal;min-width:4.2rem;max-width:11rem;overflow-wrap:anywhere}
thead th small{display:block;white-space:nowrap}
th[scope=row],.t{text-align:left}
tbody th{font-weight:500;white-space:normal;min-width:5rem;max-width:22rem}
.tall{max-height:34rem;overflow:auto}
.tall thead th,.evidence thead th{position:sticky;top:0;background:var(--paper);z-index:1}
.n{color:inherit;white-space:nowrap;text-decoration:underline dotted 1px;text-decoration-color:var(--edge);text-underline-offset:.22em}
.n:hover{text-decoration:underline solid 1px var(--link);color:var(--link)}
.policy{font-weight:600}
.setting{display:block;white-space:nowrap;color:var(--muted);font-size:.78rem;font-weight:400}
.minus{font-weight:400;color:var(--muted)}
.why{white-space:normal;color:var(--muted);font-size:.85rem;display:inline-block;max-width:17rem}
.none{color:var(--muted)}
.how{color:var(--muted);font-size:.92rem}
figure{margin:.4rem 0 1.4rem}
figcaption{max-width:44rem;margin-bottom:.5rem;font-size:.95rem}
figcaption span{color:var(--muted)}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;padding:0;margin:.3rem 0 .5rem;font-size:.86rem;color:var(--soft)}
.legend li{display:flex;align-items:center;gap:.35rem;min-width:0}
.swatch{flex:none;vertical-align:-.05em;fill:var(--c);stroke:none;overflow:visible}
.swatch .line{stroke:var(--c);stroke-width:2;fill:none}
.chip{display:inline-block;width:.8rem;height:.8rem;border-radius:2px;flex:none}
.plot{display:block;width:100%;height:auto;max-width:760px;color:var(--muted);font-family:inherit;overflow:visible}
.plot text{white-space:pre}
.plot.narrow{display:none;max-width:420px}
.plot.small{max-width:340px}
@media (max-width:40rem){.plot.wide{display:none}.plot.narrow{display:block}}
.smalls{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(14rem,100%),1fr));gap:0 1.6rem}
figure.small{margin:0 0 .8rem}
.fold{margin:.2rem 0 1rem}
summary{cursor:pointer;color:var(--link);font-size:.88rem;width:fit-content}
.choices{display:flex;flex-wrap:wrap;align-items:center;gap:.3rem}
.choices .ask{color:var(--muted);font-size:.86rem;margin-right:.4rem}
.choices>input{position:absolute;opacity:0;width:1px;height:1px;padding:0;margin:0}
.choices>label{font-size:.86rem;padding:.16rem .65rem;border:1px solid var(--edge);border-radius:99px;cursor:pointer;background:var(--card);font-variant-numeric:tabular-nums}
.choices>input:checked+label{background:var(--ink);border-color:var(--ink);color:var(--paper)}
.choices>input:focus-visible+label{outline:2px solid var(--focus);outline-offset:2px}
.panes{flex:1 0 100%;min-width:0;max-width:100%;margin-top:.7rem}
.panes>*{display:none}
${choiceRules}{display:block}
.verdict{font-weight:550;white-space:nowrap}
.verdict.gain{color:var(--b)}
.verdict.loss{color:var(--a)}
.verdict.undecided{color:var(--muted);font-weight:400}
main li{max-width:46rem}
.facts dl,.terms{margin:.4rem 0 1rem}
.facts dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(13.5rem,1fr));gap:.9rem 1.6rem}
.facts dt{color:var(--muted);font-size:.82rem}
.facts dd{margin:.1rem 0 0;font-size:1.12rem;font-weight:600;font-variant-numeric:tabular-nums}
.terms div{margin-bottom:.5rem;max-width:44rem}
.terms dt{font-weight:600;display:inline}
.terms dt::after{content:": "}
.terms dd{display:inline;margin:0;color:var(--soft)}
.heat table{border-collapse:separate;border-spacing:2px}
.heat th{border:0;padding:.3rem .5rem;text-align:center;min-width:0}
.heat .corner{font-size:.78rem;white-space:nowrap;font-weight:400}
.heat tbody th{text-align:right;color:var(--muted);min-width:2rem}
.heat td{border:0;padding:.5rem .4rem;text-align:center;background:var(--tint);border-radius:3px;min-width:3.9rem}
.heat .n{text-decoration-color:transparent}
.heat td .sign{margin-left:.25rem;font-size:.78em;color:var(--soft)}
.heat td{position:relative}
.heat .cr::after,.heat .cb::before{content:"";position:absolute;background:var(--ink)}
.heat .cr::after{top:-2px;bottom:-2px;right:-2px;width:2px}
.heat .cb::before{left:-2px;right:-2px;bottom:-2px;height:2px}
${shades}
.bars{max-width:47rem;margin:.6rem 0 .8rem}
.bargroup{display:grid;grid-template-columns:4rem minmax(0,1fr);gap:.6rem;align-items:center;padding:.42rem 0;border-bottom:1px solid var(--line)}
.barhead{font-size:.86rem;color:var(--muted);font-variant-numeric:tabular-nums}
.barrow{display:flex;align-items:center;gap:.5rem;margin:2px 0}
.sharebar{display:flex;flex:1;height:1.45rem;gap:1px;min-width:0;border-radius:3px;overflow:hidden}
.sharebar span{flex:0 1 0;min-width:2px;font-size:.74rem;line-height:1.45rem;text-align:center;overflow:hidden;white-space:nowrap;font-variant-numeric:tabular-nums}
.sharebar span{container-type:inline-size}
.sharebar b{font-weight:400}
@container (max-width:2.5rem){.sharebar b{display:none}}
.stop-solved{background:#00734f;color:#fff}.stop-wrong_final{background:#9c3a63;color:#fff}.stop-env_fail{background:#6f3b6c;color:#fff}
.stop-quit{background:#e0a526;color:#1c1500}.stop-max_turns{background:#a5b8c7;color:#101418}.stop-max_tokens{background:#7f98ab;color:#0a0d10}
.stop-max_tool_calls{background:#5d7485;color:#fff}.stop-max_seconds{background:#c3ced6;color:#101418}.stop-max_cost{background:#dbe2e7;color:#101418}
.stop-context_overflow{background:#4b4f6b;color:#fff}.stop-error{background:#30343a;color:#fff}.stop-unknown{background:#c9c8c0;color:#16160f}
.dumbbell{width:9rem;height:1.05rem;vertical-align:middle;overflow:visible}
.entry{display:grid;grid-template-columns:minmax(0,1fr) 20rem;gap:1rem 3rem;align-items:start}
.entry h2{font-size:1.3rem;margin-bottom:.3rem}
.entry h2 a{color:inherit;text-decoration-color:var(--edge)}
.finding{font:500 1.28rem/1.32 ui-serif,"Iowan Old Style",Charter,"Palatino Linotype",Georgia,Cambria,serif;margin:.7rem 0}
.command{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--tint);border-radius:6px;padding:.6rem .8rem}
.entry .how{margin-bottom:.2rem}
@media (max-width:52rem){.entry{grid-template-columns:minmax(0,1fr)}}
.names{columns:16rem;font-size:.88rem}
.evidence{max-height:30rem;overflow:auto;font-size:.9rem}
.evidence thead th{overflow-wrap:normal!important}
.evidence td,.evidence th{text-align:left;font-size:.8rem;white-space:pre-wrap;max-width:22rem;overflow-wrap:anywhere}
.evidence tr:target,.evidence tr.seen{background:var(--warnbg)}
#evidence-card{position:absolute;inset:auto;margin:0;width:min(24rem,calc(100vw - 2rem));background:var(--card);color:var(--ink);border:1px solid var(--edge);border-radius:8px;padding:.8rem 1rem;font-size:.86rem;box-shadow:0 8px 28px rgb(0 0 0/.16)}
#evidence-card dl{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.2rem .8rem;margin:0 0 .5rem}
#evidence-card dt{color:var(--muted)}
#evidence-card dd{margin:0;overflow-wrap:anywhere;white-space:pre-wrap;font-variant-numeric:tabular-nums}
`;
