// internal
/** The episode browser. */
export const transcriptStyles = `
.filters{display:flex;flex-wrap:wrap;gap:.5rem .9rem;align-items:center;margin:.6rem 0;font-size:.86rem}
.filters[hidden]{display:none}
.filters label{display:flex;align-items:center;gap:.35rem;color:var(--muted);max-width:100%}
.filters select,.filters input{max-width:11rem;min-width:0;color:var(--ink)}
.browser{display:grid;grid-template-columns:minmax(13rem,17rem) minmax(0,1fr);gap:1.4rem;align-items:start}
.entries{list-style:none;margin:0;padding:0;max-height:42rem;overflow-y:auto;border:1px solid var(--line);border-radius:8px;background:var(--card)}
.entries li{border-bottom:1px solid var(--line)}
.entries li:last-child{border:0}
.entries li[hidden]{display:none}
.entries a{display:block;padding:.5rem .7rem;text-decoration:none;color:var(--ink);font-size:.86rem}
.entries a:hover{background:var(--tint)}
.entries a[aria-current]{background:var(--tint);box-shadow:inset 3px 0 0 var(--ink)}
.entries a:focus-visible{outline-offset:-2px}
.entries .task{font-weight:600}
.entries .meta{display:block;color:var(--muted);font-size:.8rem}
.differ{float:right;font-size:.72rem;color:var(--muted);border:1px solid var(--line);border-radius:99px;padding:0 .45rem}
.dots{display:flex;flex-wrap:wrap;gap:2px;margin-top:.3rem}
.dots i{width:.5rem;height:.5rem;border-radius:1px;background:var(--clean)}
.dots .error,.turn-error{background:var(--error)}
.dots .solved,.turn-solved{background:var(--solved)}
.turn-clean{background:var(--clean)}
.reader{min-width:0}
.episode{display:none}
.episode:target,.reader:not(:has(:target)) .episode:first-child{display:block}
.episode:focus{outline:none}
.episode h3{margin:0 0 .3rem;font-size:1.02rem}
.episode header p{font-size:.88rem;color:var(--muted);margin-bottom:.5rem}
.outcome{font-weight:600;color:var(--soft)}
.outcome.solved{color:var(--solved)}
.outcome.not-solved{color:var(--error)}
.turns{list-style:none;padding:0;margin:.6rem 0}
.turn{border-left:3px solid var(--clean);padding:.1rem 0 .6rem .9rem;margin:0 0 .3rem}
.turn.error{border-color:var(--error);border-left-style:double;border-left-width:5px}
.turn.solved{border-color:var(--solved)}
.gap{color:var(--muted);font-size:.85rem;padding:.3rem .9rem .6rem}
.turnhead{display:flex;flex-wrap:wrap;gap:.15rem .7rem;align-items:baseline;font-size:.84rem;color:var(--muted);margin-bottom:.2rem}
.turn .fold{margin:.1rem 0 .3rem}
.turnhead b{color:var(--ink)}
.turn.error .state,.flag{color:var(--error);font-weight:600}
.turn.solved .state{color:var(--solved);font-weight:600}
.turn.clean .state{display:none}
.notice{font-size:.85rem;color:var(--warn);margin:.2rem 0}
.opening,.answered{font-size:.95rem}
.opening{padding:.5rem .8rem;background:var(--tint);border-radius:6px}
.tag{font-size:.76rem;color:var(--muted);display:block}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.25rem 0;max-height:26rem;overflow-y:auto}
pre.said{font-family:inherit;font-size:.95rem;line-height:1.5}
pre.reasoning{color:var(--muted);border-left:2px solid var(--line);padding-left:.7rem}
.answered pre.observation,.result pre{background:var(--tint);border-radius:5px;padding:.4rem .6rem}
.call{font-size:.9rem;margin:.25rem 0}
.call code{font-weight:650}
.call pre{margin:.1rem 0;color:var(--soft)}
.result.failed pre{box-shadow:inset 3px 0 0 var(--error)}
.omitted{display:block;font-size:.78rem;color:var(--muted)}
.long>summary{color:var(--muted);font-size:.86rem;width:auto;overflow:hidden;text-overflow:ellipsis}
.id{font-size:.78rem;color:var(--muted)}
@media (max-width:60rem){
.browser{grid-template-columns:minmax(0,1fr)}
.entries{max-height:17rem}
}
`;

/** Paper: no controls, everything dark on white, figures kept whole. */
export const printStyles = `
@media print{
@page{margin:16mm 14mm}
body{font-size:10pt}
.bar button,.contents,.skip,.filters,.entries,.choices>input,.choices>label,.choices .ask,#evidence,#evidence-card{display:none!important}
.sheet{display:block;max-width:none;padding:0}
.bar,footer{padding-left:0;padding-right:0}
section{padding:1rem 0 .4rem}
figure,table,.facts,.bargroup,tr{break-inside:avoid}
h2,h3{break-after:avoid}
.scroll,.tall,.entries,pre{overflow:visible;max-height:none}
.scroll{background:none}
table{font-size:8.5pt}
.browser{display:block}
.n{text-decoration:none}
a{color:inherit}
.sharebar span,.chip,.heat td,.dots i{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
`;
