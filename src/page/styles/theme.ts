const light = `
--paper:#fcfcfa;--card:#fff;--ink:#1c2127;--soft:#3f4852;--muted:#5f6873;--line:#e3e3dd;--edge:#cfd0c9;--tint:#f3f3ee;
--link:#0b5f94;--focus:#0072b2;--warn:#8a4b00;--warnbg:#fdf4e3;
--s0:#0072b2;--s1:#bd4b00;--s2:#007a5a;--s3:#8a4f9e;--s4:#806200;--s5:#2a6f86;--s6:#a8325f;--s7:#59636e;
--clean:#8fa3b3;--error:#bd4b00;--solved:#007a5a;--heat:9%`;

const dark = `
--paper:#14171a;--card:#1a1e22;--ink:#e8e9e6;--soft:#c5cacc;--muted:#9ba4ab;--line:#2c3238;--edge:#424a52;--tint:#20252a;
--link:#7cc0ee;--focus:#7cc0ee;--warn:#f0bf73;--warnbg:#2b2417;
--s0:#62b5ea;--s1:#f0935a;--s2:#45c79c;--s3:#cb9bdc;--s4:#d3b547;--s5:#7fc3d6;--s6:#ee85ae;--s7:#aab3bb;
--clean:#667582;--error:#f0935a;--solved:#45c79c;--heat:8%`;

/**
 * Colours of both themes. The eight series keep at least 4.5:1 on their paper and differ in lightness as well as
 * hue (after Okabe and Ito, 2008), so that they stay apart for colour-blind readers and in grey.
 */
export const themeStyles = `
:root{color-scheme:light;${light}}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;${dark}}}
:root[data-theme=dark]{color-scheme:dark;${dark}}
@media print{:root,:root[data-theme=dark],:root:not([data-theme=light]){color-scheme:light;${light};--paper:#fff}}
`;
