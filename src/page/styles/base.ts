// internal
/** Typography and layout: a readable measure, figures of one width, nothing wider than the window. */
export const baseStyles = `
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0;background:var(--paper);color:var(--ink);font:400 1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere}
h1,h2,h3{line-height:1.2;text-wrap:balance;margin:0}
h1{font-size:1.05rem;font-weight:600;color:var(--soft);letter-spacing:.005em}
h2{font-size:1.5rem;font-weight:650;letter-spacing:-.012em;margin-bottom:1rem}
h3{font-size:1.06rem;font-weight:650;margin:1.6rem 0 .6rem}
p{margin:0 0 .8rem;max-width:44rem;text-wrap:pretty}
ul,ol{padding-left:1.2rem;margin:.4rem 0 .8rem}
a{color:var(--link);text-underline-offset:.18em;text-decoration-thickness:.06em}
small{font-size:.78em;color:var(--muted);font-weight:400}
code,pre{font:.86em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:3px}
.hidden{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:-99rem;top:.5rem;background:var(--ink);color:var(--paper);padding:.4rem .8rem;z-index:9}
.skip:focus{left:.5rem}
.bar{display:flex;justify-content:space-between;align-items:center;min-height:3rem;padding:.5rem clamp(1rem,4vw,2.5rem);max-width:76rem;margin:0 auto}
.brand{font-weight:700;letter-spacing:-.01em}
.brand span{font-weight:400;color:var(--muted)}
button,select,input{font:inherit;color:inherit;background:var(--card);border:1px solid var(--edge);border-radius:6px;padding:.25rem .6rem}
button{cursor:pointer}
#theme{font-size:.82rem;color:var(--soft)}
.sheet{display:grid;grid-template-columns:12.5rem minmax(0,1fr);gap:clamp(1.5rem,4vw,3.5rem);max-width:76rem;margin:0 auto;padding:0 clamp(1rem,4vw,2.5rem)}
.sheet.plain{grid-template-columns:minmax(0,1fr);max-width:64rem}
main{min-width:0;padding-bottom:3rem}
.contents{font-size:.86rem;position:sticky;top:1rem;align-self:start;max-height:calc(100vh - 2rem);overflow-y:auto}
.contents ol{list-style:none;margin:.2rem 0 0;padding:0;border-left:1px solid var(--line)}
.contents a{display:block;padding:.24rem 0 .24rem .9rem;color:var(--muted);text-decoration:none;border-left:2px solid transparent;margin-left:-1px}
.contents a:hover{color:var(--ink)}
.contents a[aria-current]{color:var(--ink);border-color:var(--ink);font-weight:600}
.answer{padding:.2rem 0 2.2rem}
.question{color:var(--muted);margin:.3rem 0 0;max-width:46rem}
.headline{color:var(--ink);font:500 clamp(1.55rem,1.1rem + 2.1vw,2.35rem)/1.22 ui-serif,"Iowan Old Style",Charter,"Palatino Linotype",Georgia,Cambria,serif;letter-spacing:-.012em;margin:1rem 0 1.1rem;max-width:24em;text-wrap:balance}
.rest p{margin:0 0 .45rem;color:var(--soft);font-size:1.04rem}
.warnings{margin-top:1.3rem;padding:.7rem 1rem;background:var(--warnbg);border-left:3px solid var(--warn);border-radius:0 6px 6px 0;font-size:.92rem;max-width:46rem}
.warnings ul{margin:0;padding-left:1rem}
section{padding:2.2rem 0 1rem;border-top:1px solid var(--line)}
footer{border-top:1px solid var(--line);color:var(--muted);font-size:.82rem;padding:1.2rem clamp(1rem,4vw,2.5rem) 2.5rem;max-width:76rem;margin:2rem auto 0}
@media (max-width:60rem){
.sheet{grid-template-columns:minmax(0,1fr);gap:0}
.contents{position:static;max-height:none;margin-bottom:1.4rem;overflow:visible}
.contents ol{display:flex;flex-wrap:wrap;gap:.1rem .9rem;border:0;padding:.5rem 0;border-block:1px solid var(--line)}
.contents a{padding:.2rem 0;border:0;margin:0}
}
`;
