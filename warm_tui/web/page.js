// Keys are meant for the app from the beginning on, without a click on it.
window.addEventListener("load", () => {
  const timer = setInterval(() => {
    const keys = document.querySelector(".xterm-helper-textarea");
    if (keys) {
      keys.focus();
      clearInterval(timer);
    }
  }, 50);
});
