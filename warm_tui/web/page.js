// Keys are meant for the app as soon as it is there, without a click on it; until then it takes itself for left.
window.addEventListener("load", () => {
  const timer = setInterval(() => {
    const keys = document.querySelector(".xterm-helper-textarea");
    if (keys && document.body.classList.contains("-first-byte")) {
      keys.blur();
      keys.focus();
      clearInterval(timer);
    }
  }, 50);
});
