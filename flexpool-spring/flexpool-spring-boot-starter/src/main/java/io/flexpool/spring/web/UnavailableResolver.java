// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Responds to a web request that got no connection with the status 503 and {@code Retry-After}, so that a client or
 * proxy can retry. The body is the application's error page. Thread-safe.
 */
final class UnavailableResolver implements HandlerExceptionResolver, Ordered {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool.spring");

    /** Runs after the first resolver, which stores the exception for the error page. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE + 100;
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception thrown) {
        Duration retryAfter = NoConnection.retryAfter(thrown);
        if (retryAfter == null || response.isCommitted()) {
            return null;
        }
        try {
            response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(seconds(retryAfter)));
            response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
        } catch (IOException gone) {
            // The client has disconnected.
            LOG.debug("the answer 503 could not be sent", gone);
        }
        return new ModelAndView();
    }

    /** Whole seconds for the header, rounded up, at least one. */
    private static long seconds(Duration time) {
        return Math.max(1, time.plusSeconds(1).minusNanos(1).toSeconds());
    }
}
