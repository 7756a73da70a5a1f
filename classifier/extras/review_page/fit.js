"use strict";

function refit() {}
