// A time as it is shown: "0.41 s", "3.8 s", "12 s".
export const seconds = (milliseconds) => (milliseconds < 9950 ? (milliseconds / 1000).toFixed(milliseconds < 995 ? 2 : 1) : Math.round(milliseconds / 1000)) + " s";
