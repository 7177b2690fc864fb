// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.actuator;

import jakarta.servlet.http.HttpServletResponse;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Sets the page's policy as a header of the current response: actuator responses have no headers of their own, and
 * browsers accept frame-ancestors only in a header. Without a servlet container (WebFlux) no header is set, and only
 * the document contains the policy.
 */
final class PolicyHeader {
    private static final String NAME = "Content-Security-Policy";
    private static final boolean SERVLET = isPresent("jakarta.servlet.http.HttpServletResponse")
            && isPresent("org.springframework.web.context.request.ServletRequestAttributes");

    private PolicyHeader() {}

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, PolicyHeader.class.getClassLoader());
    }

    static void put(String policy) {
        if (SERVLET) {
            OfServlet.put(policy);
        }
    }

    /** Loaded only if its types are present. */
    private static final class OfServlet {
        static void put(String policy) {
            HttpServletResponse response =
                    RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes request
                            ? request.getResponse()
                            : null;
            if (response != null) {
                response.setHeader(NAME, policy);
            }
        }
    }
}
