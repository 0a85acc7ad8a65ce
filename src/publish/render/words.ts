// internal
import { getBaseLanguage } from "../parse/language.js";

/** What the page itself says; everything else is the author's. */
export interface PageWords {
  readonly contents: string;
  readonly skip: string;
  readonly footnotes: string;
  readonly backTo: string;
  readonly details: string;
  readonly formula: string;
  readonly table: string;
  readonly code: string;
  /** Above what a block of code gives. */
  readonly output: string;
  readonly info: string;
  readonly warn: string;
  readonly good: string;
  readonly bad: string;
  readonly public: string;
  readonly undisclosed: string;
  readonly speculative: string;
  readonly "needs-verify": string;
  readonly hedged: string;
  readonly brokenFormula: string;
  readonly missingImage: string;
  readonly remoteImage: string;
  readonly verdict: string;
  readonly source: string;
  readonly audit: string;
  readonly deferred: string;
  readonly theme: string;
  readonly notRun: string;
  readonly evidence: string;
  readonly references: string;
  readonly backToUse: string;
  readonly shown: string;
  readonly recomputed: string;
  readonly artefact: string;
  readonly selector: string;
  readonly expression: string;
  readonly rounding: string;
  readonly status: string;
  readonly checked: string;
}

const english: PageWords = {
  contents: "Contents",
  skip: "Skip to the content",
  footnotes: "Notes",
  backTo: "Back to the text",
  details: "Details",
  formula: "Formula",
  table: "Table",
  code: "Code",
  output: "Output",
  info: "Note",
  warn: "Warning",
  good: "Good",
  bad: "Wrong",
  public: "public",
  undisclosed: "undisclosed",
  speculative: "speculative",
  "needs-verify": "to be verified",
  hedged: "unverified",
  brokenFormula: "This formula cannot be set",
  missingImage: "Image not found",
  remoteImage: "Image on another site",
  verdict: "Verdict",
  source: "Source",
  audit: "Audit",
  deferred: "Deferred",
  theme: "Theme",
  notRun: "Not run",
  evidence: "Evidence of the numbers",
  references: "References",
  backToUse: "Back to the text",
  shown: "Shown",
  recomputed: "Recomputed",
  artefact: "Artefact",
  selector: "Selected by",
  expression: "Expression",
  rounding: "Rounding",
  status: "Status",
  checked: "Checked",
};

const chinese: PageWords = {
  contents: "目录",
  skip: "跳到正文",
  footnotes: "注释",
  backTo: "返回正文",
  details: "展开",
  formula: "公式",
  table: "表格",
  code: "代码",
  output: "输出",
  info: "提示",
  warn: "注意",
  good: "正确",
  bad: "错误",
  public: "已公开",
  undisclosed: "未披露",
  speculative: "推测",
  "needs-verify": "待核实",
  hedged: "未经核实",
  brokenFormula: "公式无法排版",
  missingImage: "找不到图片",
  remoteImage: "外部图片",
  verdict: "结论",
  source: "源文件",
  audit: "审核记录",
  deferred: "暂缓处理",
  theme: "主题",
  notRun: "未运行",
  evidence: "数字的依据",
  references: "参考文献",
  backToUse: "返回正文",
  shown: "显示值",
  recomputed: "重算值",
  artefact: "数据文件",
  selector: "选取路径",
  expression: "表达式",
  rounding: "取整方式",
  status: "状态",
  checked: "核对日期",
};

const vietnamese: PageWords = {
  contents: "Mục lục",
  skip: "Đến nội dung",
  footnotes: "Chú thích",
  backTo: "Quay lại bài",
  details: "Chi tiết",
  formula: "Công thức",
  table: "Bảng",
  code: "Mã",
  output: "Kết quả",
  info: "Ghi chú",
  warn: "Cảnh báo",
  good: "Đúng",
  bad: "Sai",
  public: "công khai",
  undisclosed: "không công bố",
  speculative: "suy đoán",
  "needs-verify": "cần kiểm chứng",
  hedged: "chưa kiểm chứng",
  brokenFormula: "Không thể dựng công thức này",
  missingImage: "Không tìm thấy ảnh",
  remoteImage: "Ảnh ở trang khác",
  verdict: "Kết luận",
  source: "Nguồn",
  audit: "Kiểm duyệt",
  deferred: "Hoãn lại",
  theme: "Giao diện",
  notRun: "Chưa chạy",
  evidence: "Bằng chứng của các con số",
  references: "Tài liệu tham khảo",
  backToUse: "Quay lại bài",
  shown: "Hiển thị",
  recomputed: "Tính lại",
  artefact: "Tệp dữ liệu",
  selector: "Chọn bởi",
  expression: "Biểu thức",
  rounding: "Làm tròn",
  status: "Trạng thái",
  checked: "Kiểm tra",
};

/** Returns the words of a page in its language, English where there are none. */
export function getPageWords(lang: string): PageWords {
  return { zh: chinese, vi: vietnamese }[getBaseLanguage(lang)] ?? english;
}
