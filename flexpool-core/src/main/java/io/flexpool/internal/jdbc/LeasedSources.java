// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.util.StreamReaderDelegate;
import javax.xml.transform.Result;
import javax.xml.transform.Source;
import javax.xml.transform.sax.SAXSource;
import javax.xml.transform.stax.StAXSource;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;
import org.jspecify.annotations.NullUnmarked;
import org.xml.sax.InputSource;

/**
 * Sources and results of XML documents whose streams end with the lease; see {@link LeasedStreams}. A DOM is in memory,
 * and drivers collect the events of the other results in memory until the document is used.
 */
@NullUnmarked
final class LeasedSources {
    private LeasedSources() {}

    @SuppressWarnings("unchecked") // a source of the same class
    static <T extends Source> T out(T source, LeasedConnection connection) {
        if (source instanceof StreamSource streams) {
            streams.setInputStream(LeasedStreams.out(streams.getInputStream(), connection));
            streams.setReader(LeasedStreams.out(streams.getReader(), connection));
        } else if (source instanceof SAXSource events && events.getInputSource() != null) {
            InputSource streams = events.getInputSource();
            streams.setByteStream(LeasedStreams.out(streams.getByteStream(), connection));
            streams.setCharacterStream(LeasedStreams.out(streams.getCharacterStream(), connection));
        } else if (source != null
                && source.getClass() == StAXSource.class
                && ((StAXSource) source).getXMLStreamReader() != null) {
            XMLStreamReader reader = ((StAXSource) source).getXMLStreamReader();
            return (T) new StAXSource(new Events(reader, connection));
        }
        return source;
    }

    static <T extends Result> T out(T result, LeasedConnection connection) {
        if (result instanceof StreamResult streams) {
            streams.setOutputStream(LeasedStreams.out(streams.getOutputStream(), connection));
            streams.setWriter(LeasedStreams.out(streams.getWriter(), connection));
        }
        return result;
    }

    /** A reader that advances no further after the lease. */
    private static final class Events extends StreamReaderDelegate {
        private final LeasedConnection connection;

        Events(XMLStreamReader target, LeasedConnection connection) {
            super(target);
            this.connection = connection;
        }

        private void check() throws XMLStreamException {
            if (connection.ended()) {
                throw new XMLStreamException("Connection is closed");
            }
        }

        @Override
        public int next() throws XMLStreamException {
            check();
            return super.next();
        }

        @Override
        public int nextTag() throws XMLStreamException {
            check();
            return super.nextTag();
        }

        @Override
        public boolean hasNext() throws XMLStreamException {
            check();
            return super.hasNext();
        }

        @Override
        public String getElementText() throws XMLStreamException {
            check();
            return super.getElementText();
        }

        @Override
        public void close() throws XMLStreamException {
            if (!connection.ended()) {
                super.close();
            }
        }
    }
}
