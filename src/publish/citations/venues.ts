/** A place where works come out. */
export interface Venue {
  readonly name: string;
  /** Other names, as texts and bibliographies write them. */
  readonly aliases: readonly string[];
  /** Says whether it took place, or came out, in a year. */
  isHeld(year: number): boolean;
  /** How often, in words. */
  readonly rhythm: string;
}

function yearly(name: string, first: number, ...aliases: readonly string[]): Venue {
  return { name, aliases, isHeld: (year) => year >= first, rhythm: `yearly since ${first}` };
}

/** Every second year until `until`, yearly from then on where it is given. */
function biennial(name: string, first: number, yearlyFrom: number | undefined, ...aliases: readonly string[]): Venue {
  const isHeld = (year: number): boolean =>
    year >= first && ((yearlyFrom !== undefined && year >= yearlyFrom) || (year - first) % 2 === 0);
  const rhythm = `every second year since ${first}${yearlyFrom === undefined ? "" : `, yearly since ${yearlyFrom}`}`;
  return { name, aliases, isHeld, rhythm };
}

function inYears(name: string, years: readonly number[], ...aliases: readonly string[]): Venue {
  const last = Math.max(...years);
  // What comes after the list is not known to be wrong.
  return {
    name,
    aliases,
    isHeld: (year) => years.includes(year) || year > last,
    rhythm: `in ${years.slice(-8).join(", ")}`,
  };
}

/** Venues of machine learning and its neighbours; others can be added. */
export const knownVenues: readonly Venue[] = [
  yearly(
    "NeurIPS",
    1987,
    "NIPS",
    "Advances in Neural Information Processing Systems",
    "Neural Information Processing Systems",
    "Conference on Neural Information Processing Systems",
  ),
  yearly("ICML", 1980, "International Conference on Machine Learning"),
  yearly("ICLR", 2013, "International Conference on Learning Representations"),
  yearly("AAAI", 1980, "AAAI Conference on Artificial Intelligence"),
  yearly("COLM", 2024, "Conference on Language Modeling"),
  yearly("CoRL", 2017, "Conference on Robot Learning"),
  yearly("COLT", 1988, "Conference on Learning Theory", "Annual Conference on Learning Theory"),
  yearly("ALT", 1990, "Algorithmic Learning Theory"),
  yearly("AISTATS", 2007, "International Conference on Artificial Intelligence and Statistics"),
  yearly("UAI", 1985, "Uncertainty in Artificial Intelligence", "Conference on Uncertainty in Artificial Intelligence"),
  yearly(
    "ACL",
    1979,
    "Annual Meeting of the Association for Computational Linguistics",
    "Association for Computational Linguistics",
  ),
  yearly(
    "EMNLP",
    1996,
    "Empirical Methods in Natural Language Processing",
    "Conference on Empirical Methods in Natural Language Processing",
  ),
  inYears(
    "NAACL",
    [2000, 2001, 2003, 2004, 2006, 2007, 2009, 2010, 2012, 2013, 2015, 2016, 2018, 2019, 2021, 2022, 2024, 2025],
    "North American Chapter of the Association for Computational Linguistics",
  ),
  inYears(
    "EACL",
    [2003, 2006, 2009, 2012, 2014, 2017, 2021, 2023, 2024],
    "European Chapter of the Association for Computational Linguistics",
  ),
  inYears("AACL", [2020, 2022, 2023], "Asia-Pacific Chapter of the Association for Computational Linguistics"),
  inYears(
    "COLING",
    [2000, 2002, 2004, 2006, 2008, 2010, 2012, 2014, 2016, 2018, 2020, 2022, 2024, 2025],
    "International Conference on Computational Linguistics",
  ),
  yearly("CoNLL", 1997, "Conference on Computational Natural Language Learning"),
  yearly(
    "CVPR",
    1996,
    "Computer Vision and Pattern Recognition",
    "Conference on Computer Vision and Pattern Recognition",
  ),
  biennial("ICCV", 1999, undefined, "International Conference on Computer Vision"),
  biennial("ECCV", 1990, undefined, "European Conference on Computer Vision"),
  yearly("WACV", 2011, "Winter Conference on Applications of Computer Vision"),
  yearly("BMVC", 1990, "British Machine Vision Conference"),
  biennial("IJCAI", 1969, 2016, "International Joint Conference on Artificial Intelligence"),
  yearly("AAMAS", 2002, "International Conference on Autonomous Agents and Multiagent Systems"),
  yearly("ICRA", 1984, "International Conference on Robotics and Automation"),
  yearly("IROS", 1988, "International Conference on Intelligent Robots and Systems"),
  yearly("RSS", 2005, "Robotics: Science and Systems"),
  yearly("KDD", 1995, "Knowledge Discovery and Data Mining"),
  yearly("WWW", 1994, "The Web Conference", "International World Wide Web Conference"),
  yearly("SIGIR", 1978, "Research and Development in Information Retrieval"),
  yearly("CIKM", 1992, "Conference on Information and Knowledge Management"),
  yearly("CHI", 1982, "Conference on Human Factors in Computing Systems"),
  yearly("UIST", 1988, "Symposium on User Interface Software and Technology"),
  yearly("INTERSPEECH", 2000, "Interspeech"),
  yearly("ICASSP", 1976, "International Conference on Acoustics, Speech and Signal Processing"),
  yearly("MLSys", 2018, "Conference on Machine Learning and Systems"),
  biennial("OSDI", 1994, 2020, "Operating Systems Design and Implementation"),
  biennial("SOSP", 1967, 2023, "Symposium on Operating Systems Principles"),
  yearly("NSDI", 2004, "Networked Systems Design and Implementation"),
  yearly("EuroSys", 2006, "European Conference on Computer Systems"),
  yearly("ICSE", 1987, "International Conference on Software Engineering"),
  yearly("SIGGRAPH", 1974),
  yearly("STOC", 1969, "Symposium on Theory of Computing"),
  yearly("FOCS", 1960, "Foundations of Computer Science"),
  yearly("JMLR", 2000, "Journal of Machine Learning Research", "J. Mach. Learn. Res."),
  yearly("TMLR", 2022, "Transactions on Machine Learning Research", "Trans. Mach. Learn. Res."),
  yearly("TACL", 2013, "Transactions of the Association for Computational Linguistics"),
  yearly("JAIR", 1993, "Journal of Artificial Intelligence Research"),
  yearly("TPAMI", 1979, "IEEE Transactions on Pattern Analysis and Machine Intelligence"),
  yearly("Machine Learning", 1986),
  yearly("Neural Computation", 1989),
  yearly("Nature", 1869),
  yearly("Science", 1880),
  yearly("PNAS", 1915, "Proceedings of the National Academy of Sciences"),
  yearly("Nature Machine Intelligence", 2019),
  yearly("Communications of the ACM", 1958),
];

/** Returns a venue that is not in the list, taken as yearly. */
export function makeVenue(name: string): Venue {
  return { name, aliases: [], isHeld: () => true, rhythm: "not known" };
}
