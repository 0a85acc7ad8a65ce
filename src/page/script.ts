export const pageScript = "";
