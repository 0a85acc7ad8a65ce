export const pageStyles = "";
